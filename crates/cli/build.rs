//! Finds the page that `layout explore` shows: a build product, which a clone does not have.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(has_page)");
    // The folder: of a file that is not there, cargo runs this each time.
    println!("cargo::rerun-if-changed=page");
    if std::path::Path::new("page/index.html").exists() {
        println!("cargo::rustc-cfg=has_page");
    }
}
