//! The weights of a checkpoint as the arguments of a compiled program, and its results as arrays of numpy.
//!
//! ```text
//! program_arguments PROGRAM.hlo WEIGHTS.safetensors FOLDER   writes FOLDER/parameter-0.bin and so on
//! program_arguments PROGRAM.hlo FOLDER                       reads FOLDER/result-0.bin, writes FOLDER/result-0.npy
//! ```
//!
//! A blob is what the program takes or gives: the bytes of one array in the layout that it was compiled for.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use layout::Shape;
use layout_files::{Arguments, Change, Conversion, Format, Share, TensorFile};
use layout_hlo::Module;

fn main() -> ExitCode {
    let arguments = env::args().skip(1).collect::<Vec<_>>();
    let done = match &arguments[..] {
        [program, weights, folder] => write(program.as_ref(), weights.as_ref(), folder.as_ref()),
        [program, folder] => read(program.as_ref(), folder.as_ref()),
        _ => Err("program_arguments PROGRAM.hlo [WEIGHTS.safetensors] FOLDER".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Writes a blob for each array that the program takes.
fn write(program: &Path, weights: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(program)?;
    let module = Module::parse(&text)?;
    let file = TensorFile::open(weights)?;
    let arguments = Arguments::new(&module, &file);
    // All of them are compared before the first is written.
    let changes = arguments.parameters().iter().map(|parameter| {
        let change = parameter.change(&file)?;
        Ok((parameter, change))
    });
    for (parameter, change) in changes.collect::<Result<Vec<_>, layout_files::Error>>()? {
        let chosen = parameter.candidate().map(|tensor| tensor.name());
        let conversion = Conversion::new(&file, Format::Raw, |tensor| {
            Ok((Some(tensor.name()) == chosen).then(|| change.clone()))
        })?;
        let blob = folder.join(format!("parameter-{}.bin", parameter.place()));
        conversion.write(&blob, Share::WHOLE, &mut |_| ())?;
        println!("{}: {} as {}", blob.display(), parameter.name(), parameter.layout());
    }
    Ok(())
}

/// Reads a blob for each array that the program gives.
fn read(program: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(program)?;
    let module = Module::parse(&text)?;
    for (number, shape) in module.computation_layout().result_shapes().into_iter().enumerate() {
        let (Shape::Array(layout) | Shape::Buffer(layout)) = shape else { continue };
        let file = TensorFile::open(folder.join(format!("result-{number}.bin")))?;
        let change = Change::new(layout, layout.without_layout()?);
        let conversion = Conversion::new(&file, Format::Npy, |_| Ok(Some(change.clone())))?;
        let array = folder.join(format!("result-{number}.npy"));
        conversion.write(&array, Share::WHOLE, &mut |_| ())?;
        println!("{}: from {layout}", array.display());
    }
    Ok(())
}
