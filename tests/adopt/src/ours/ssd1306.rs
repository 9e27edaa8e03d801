use layout::{PackedViewMut, layout};
use ssd1306::prelude::DisplayRotation;

/// Pages of 8 rows; a byte is 8 pixels of a column.
pub type Screen = layout!(PRED[64,128]{1,0:T(8,1)E(1)});

pub struct Graphics {
    pub buffer: [u8; Screen::BYTES],
    pub rotation: DisplayRotation,
    pub min: [u8; 2],
    pub max: [u8; 2],
}

impl Graphics {
    /// Turns a pixel on or off. Outside of the display it does nothing.
    pub fn set_pixel(&mut self, x: u32, y: u32, value: bool) {
        let index = match self.rotation {
            DisplayRotation::Rotate0 | DisplayRotation::Rotate180 => [y as usize, x as usize],
            DisplayRotation::Rotate90 | DisplayRotation::Rotate270 => [x as usize, y as usize],
        };
        let Ok(mut screen) = PackedViewMut::<Screen>::new(&mut self.buffer) else { return };
        if screen.checked_set(index, value.into()).is_some() {
            self.min = [self.min[0].min(x as u8), self.min[1].min(y as u8)];
            self.max = [self.max[0].max(x as u8), self.max[1].max(y as u8)];
        }
    }
}
