//! Builds the page: one file that holds its style, its modules and the library as WebAssembly.
//!
//! `cargo run -p tiled-layout-web` writes it into `target/page`, or into the folder that is given, and where the command
//! `layout` takes it from when it is built next.

use std::error::Error;
use std::fmt::Write as _;
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
fn page(gzip: &[u8]) -> Result<String, Box<dyn Error>> {
    let (mut style, mut modules) = (String::new(), Vec::new());
    let mut files = fs::read_dir(Path::new(WEB).join("page"))?.collect::<Result<Vec<_>, _>>()?;
    files.sort_by_key(fs::DirEntry::file_name);
    for file in files.iter().map(fs::DirEntry::path) {
        let name = file.file_stem().and_then(|name| name.to_str()).ok_or("a name is not text")?;
        match file.extension().and_then(|end| end.to_str()) {
            Some("css") => style += &fs::read_to_string(&file)?,
            Some("js") => modules.push((name.to_owned(), fs::read_to_string(&file)?)),
            _ => {}
        }
    }
    let mut imports = String::new();
    for (name, text) in &modules {
        let comma = if imports.is_empty() { "" } else { "," };
        write!(
            imports,
            "{comma}\"page/{name}\":\"data:text/javascript;base64,{}\"",
            STANDARD.encode(text)
        )?;
    }
    // The policy of the template lets only scripts with this mark run.
    let scripts = format!(
        "<script type=\"application/octet-stream\" id=\"wasm\">{}</script>\n\
         <script type=\"application/octet-stream\" id=\"example\">{}</script>\n\
         <script type=\"importmap\" nonce=\"page\">{{\"imports\":{{{imports}}}}}</script>\n\
         <script type=\"module\" nonce=\"page\">import \"page/main\"</script>",
        STANDARD.encode(gzip),
        STANDARD.encode(compressed(&fs::read(Path::new(WEB).join(EXAMPLE))?)?)
    );
    let mut page = fs::read_to_string(Path::new(WEB).join("page/index.html"))?;
    for (mark, text) in
        [("<!-- style -->", format!("<style>{style}</style>")), ("<!-- scripts -->", scripts)]
    {
        if page.matches(mark).count() != 1 {
            return Err(format!("page/index.html is to have one {mark}").into());
        }
        page = page.replace(mark, &text);
    }
    Ok(page)
}
