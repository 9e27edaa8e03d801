//! The crate `ssd1306`: a pixel of the buffered mode. All pixels are set, one after another.

use std::cell::RefCell;
use std::rc::Rc;

use display_interface::{DataFormat, DisplayError, WriteOnlyDataCommand};
use ssd1306::Ssd1306;
use ssd1306::prelude::{DisplayRotation, DisplaySize128x64};

use crate::ours::ssd1306::{Graphics, Screen};
use crate::{Function, making};

const OURS: &str = include_str!("../ours/ssd1306.rs");
const HEIGHT: u32 = 64;
const WIDTH: u32 = 128;

pub fn functions() -> Vec<Function> {
    let layout = "`PRED[64,128]{1,0:T(8,1)E(1)}`";
    let mut function = Function::new("`ssd1306` `set_pixel`", layout, 23, OURS);
    for (rotation, name) in
        [(DisplayRotation::Rotate0, "128×64"), (DisplayRotation::Rotate90, "64×128, turned")]
    {
        function.case(name.to_owned(), Screen::BYTES, move || {
            let sent = Rc::new(RefCell::new(Vec::new()));
            let display = Ssd1306::new(Wire(sent.clone()), DisplaySize128x64, rotation);
            let display = Rc::new(RefCell::new(display.into_buffered_graphics_mode()));
            let shown = display.clone();
            let graphics = Graphics { buffer: [0; _], rotation, min: [u8::MAX; 2], max: [0; 2] };
            let graphics = Rc::new(RefCell::new(graphics));
            let drawn = graphics.clone();
            [
                making(
                    move || {
                        let display = &mut *display.borrow_mut();
                        every_pixel(rotation, |x, y, value| display.set_pixel(x, y, value));
                    },
                    move |()| {
                        shown.borrow_mut().flush().expect("the wire takes everything");
                        sent.take()
                    },
                ),
                making(
                    move || {
                        let graphics = &mut *graphics.borrow_mut();
                        every_pixel(rotation, |x, y, value| graphics.set_pixel(x, y, value));
                    },
                    move |()| drawn.borrow().buffer.to_vec(),
                ),
            ]
        });
    }
    vec![function]
}

fn every_pixel(rotation: DisplayRotation, mut set: impl FnMut(u32, u32, bool)) {
    let [height, width] = match rotation {
        DisplayRotation::Rotate0 | DisplayRotation::Rotate180 => [HEIGHT, WIDTH],
        DisplayRotation::Rotate90 | DisplayRotation::Rotate270 => [WIDTH, HEIGHT],
    };
    for y in 0..height {
        for x in 0..width {
            set(x, y, (x * 5 + y * 3) % 7 < 3);
        }
    }
}

/// Keeps what a display would be sent.
struct Wire(Rc<RefCell<Vec<u8>>>);

impl WriteOnlyDataCommand for Wire {
    fn send_commands(&mut self, _: DataFormat<'_>) -> Result<(), DisplayError> {
        Ok(())
    }

    fn send_data(&mut self, data: DataFormat<'_>) -> Result<(), DisplayError> {
        match data {
            DataFormat::U8(bytes) => self.0.borrow_mut().extend(bytes),
            _ => unreachable!("the buffered mode sends bytes"),
        }
        Ok(())
    }
}
