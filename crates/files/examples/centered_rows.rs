//! A tensor of a file as an array of a layout that is known at run time: read, worked on, written back.
//!
//! ```text
//! centered_rows IN.safetensors NAME LAYOUT OUT.safetensors    as in: centered_rows model.safetensors w '{1,0:T(8,128)}' new.safetensors
//! ```
//!
//! Reads a matrix of `f32` in LAYOUT, and subtracts from each row its mean. OUT has the result twice: row-major, and in
//! LAYOUT as NAME`.laid_out`, with the record that `layout convert OUT BACK` undoes.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use layout::Padding;
use layout::dynamic::DynLayout;
use layout_files::{NewFile, TensorFile};

fn main() -> ExitCode {
    let arguments = std::env::args().skip(1).collect::<Vec<_>>();
    let done = match &arguments[..] {
        [source, name, layout, target] => run(source.as_ref(), name, layout, target.as_ref()),
        _ => Err("centered_rows IN.safetensors NAME LAYOUT OUT.safetensors".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(source: &Path, name: &str, layout: &str, target: &Path) -> Result<(), Box<dyn Error>> {
    let file = TensorFile::open(source)?;
    let tensor = file.tensor(name).ok_or("there is no such tensor")?;

    // The memory of the file, and a copy of it in the layout that is asked for.
    let from = DynLayout::new(&file.layout(tensor)?)?;
    let to = DynLayout::new(&from.shape().with_layout_text(layout)?)?;
    let mut bytes = to.zeroed_bytes();
    from.bytes_view(file.bytes(tensor)?)?.copy_to(&mut bytes, Padding::Zero)?;

    let mut array = bytes.as_elements_mut::<f32>()?;
    let [rows, columns] = *array.dims() else { return Err("it is not a matrix".into()) };
    let mut means = vec![0.0; rows];
    // Every element in the order of memory, for any layout.
    for (index, offset) in to.indices() {
        means[index[0]] += array.as_slice()[offset] / columns as f32;
    }
    for (index, offset) in to.indices() {
        array.as_mut_slice()[offset] -= means[index[0]];
    }

    let laid_out = format!("{name}.laid_out");
    NewFile::new().add(name, &array).add_in_layout(&laid_out, &array).write(target)?;
    println!("{}: `{name}` row-major, `{laid_out}` as {to}", target.display());
    Ok(())
}
