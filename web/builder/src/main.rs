//! Builds the page: one file that holds its style, its modules and the library as WebAssembly.
//!
//! `cargo run -p tiled-layout-web` writes it into `target/page`, or into the folder that is given, and where the command
//! `layout` takes it from when it is built next.

use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compression, write::GzEncoder};

/// The folder `web`.
const WEB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const TARGET: &str = "wasm32-unknown-unknown";

/// A compiled program that a visitor can look at.
const EXAMPLE: &str = "../tests/data/copies/v5e-batch_last.hlo";

/// What a visitor loads at most, in compressed bytes of WebAssembly.
const MOST: usize = 700_000;

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), Box<dyn Error>> {
    let built = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(WEB).join("../target"), PathBuf::from);
    let folder = std::env::args_os().nth(1).map_or_else(|| built.join("page"), PathBuf::from);
    let wasm = library(&built)?;
    let gzip = compressed(&wasm)?;
    let page = page(&gzip)?;

    let place = folder.join("index.html");
    for place in [&place, &Path::new(WEB).join("../crates/cli/page/index.html")] {
        fs::create_dir_all(place.parent().expect("it ends in a name"))?;
        fs::write(place, &page)?;
    }
    println!("{}", fs::canonicalize(place)?.display());
    println!("page {}, wasm {}, compressed {} bytes", page.len(), wasm.len(), gzip.len());
    if gzip.len() > MOST {
        return Err(format!("the compressed wasm is to have at most {MOST} bytes").into());
    }
    Ok(())
}

fn compressed(bytes: &[u8]) -> Result<Vec<u8>, std::io::Error> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(bytes)?;
    gzip.finish()
}

/// The library as WebAssembly.
fn library(built: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    let program = |name: &str, default: &str| {
        Command::new(std::env::var_os(name).unwrap_or_else(|| default.into()))
    };
    let folder = program("RUSTC", "rustc")
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()?
        .stdout;
    if !Path::new(String::from_utf8(folder)?.trim()).is_dir() {
        return Err(
            format!("Rust's library for {TARGET} is missing: rustup target add {TARGET}").into()
        );
    }
    let status = program("CARGO", "cargo")
        .args(["build", "--profile", "page", "--target", TARGET, "--lib", "--manifest-path"])
        .arg(Path::new(WEB).join("Cargo.toml"))
        .arg("--target-dir")
        .arg(built)
        .status()?;
    if !status.success() {
        return Err("the library does not compile for WebAssembly".into());
    }
    Ok(fs::read(built.join(TARGET).join("page/layout_web.wasm"))?)
}

/// The page: its template with everything else inside.
fn page(library: &[u8]) -> Result<String, Box<dyn Error>> {
    let folder = Path::new(WEB).join("page");
    let mut imports = Vec::new();
    for file in fs::read_dir(&folder)? {
        let name = file?.file_name().into_string().map_err(|_| "a name is not text")?;
        if let Some(module) = name.strip_suffix(".js") {
            let text = STANDARD.encode(fs::read(folder.join(&name))?);
            imports.push(format!("\"page/{module}\":\"data:text/javascript;base64,{text}\""));
        }
    }
    imports.sort();
    let data = |id: &str, gzip: &[u8]| {
        let text = STANDARD.encode(gzip);
        format!("<script type=\"application/octet-stream\" id=\"{id}\">{text}</script>\n")
    };
    let example = compressed(&fs::read(Path::new(WEB).join(EXAMPLE))?)?;
    // The policy of the template lets only scripts with this mark run.
    let scripts = format!(
        "{}{}<script type=\"importmap\" nonce=\"page\">{{\"imports\":{{{}}}}}</script>\n\
         <script type=\"module\" nonce=\"page\">import \"page/main\"</script>",
        data("wasm", library),
        data("example", &example),
        imports.join(",")
    );
    let style = format!("<style>{}</style>", fs::read_to_string(folder.join("style.css"))?);
    let page = fs::read_to_string(folder.join("index.html"))?;
    Ok(page.replacen("<!-- style -->", &style, 1).replacen("<!-- scripts -->", &scripts, 1))
}
