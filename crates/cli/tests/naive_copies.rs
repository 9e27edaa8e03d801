//! Files that `layout convert` writes in parts, against tiling by its definition: of layouts whose second tile crosses the
//! first one's count, a dimension ends within the second tile. The first pair is another one.

#[path = "../../files/tests/folder/mod.rs"]
mod folder;
#[path = "../../files/tests/naive/mod.rs"]
mod naive;

use std::fs;
use std::process::{Command, Output};

use folder::{Folder, bytes};
use naive::{Naive, converted};

fn layout(folder: &Folder, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_layout"));
    command.arg("convert").args(arguments).current_dir(folder.path(""));
    command.output().expect("the command runs")
}

#[track_caller]
fn succeeds(pair: [&str; 2], output: Output) {
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), error.as_str()), (Some(0), ""), "{pair:?}");
}

/// There, by the definition, and back, with and without `--check`, and by shares.
#[track_caller]
fn is_copied(pair: [&str; 2]) {
    let folder = Folder::new("naive");
    let [from, to] = pair.map(Naive::new);
    let content = bytes(from.bytes());
    let expected = converted(&content, [&from, &to]);
    folder.write("in.bin", &content);
    let layouts = ["--from", pair[0], "--to", pair[1]];
    let run = |arguments: &[&str]| layout(&folder, &[arguments, &layouts].concat());
    let same = |file: &str, expected: &[u8]| {
        let found = fs::read(folder.path(file)).unwrap();
        let wrong = found.iter().zip(expected).filter(|(a, b)| a != b).count();
        assert_eq!((found.len(), wrong), (expected.len(), 0), "{pair:?}: wrong bytes of {file}");
    };
    succeeds(pair, run(&["in.bin", "out.bin"]));
    same("out.bin", &expected);
    succeeds(pair, run(&["in.bin", "out.bin", "--check"]));
    succeeds(pair, run(&["in.bin", "out.bin", "--check-only"]));
    same("out.bin", &expected);
    succeeds(pair, layout(&folder, &["out.bin", "back.bin"]));
    same("back.bin", &content);
    for part in ["1/2", "2/2"] {
        succeeds(pair, run(&["in.bin", "shared.bin", "--part", part]));
    }
    let shares = ["shared.bin.part-1-of-2", "shared.bin.part-2-of-2"];
    succeeds(pair, layout(&folder, &["--join", shares[0], shares[1], "shared.bin"]));
    same("shared.bin", &expected);
}

macro_rules! copies {
    ($($name:ident $from:literal $to:literal,)*) => {
        $(
            #[test]
            fn $name() {
                is_copied([$from, $to]);
            }
        )*
    };
}

copies! {
    tiles_of_a_tpu "bf16[1000,1501]" "bf16[1000,1501]{1,0:T(8,128)(2,1)}",
    pairs_of_tiles "u16[1000,1594]" "u16[1000,1594]{0,1:T(8)(2,1)}",
    pairs_of_tiles_of_floats "f32[1000,300]" "f32[1000,300]{0,1:T(8)(2,1)}",
    four_tiles_of_four "u8[2907,1967]" "u8[2907,1967]{0,1:T(4)(4,1)}",
    eight_tiles_of_eight "f32[1730,1272]" "f32[1730,1272]{0,1:T(8)(8,1)}",
    pairs_of_the_rows_of_a_tpu "bf16[1600,999]" "bf16[1600,999]{0,1:T(1024)(128)(2,1)}",
    fours_of_the_rows_of_a_tpu "u8[2001,1997]" "u8[2001,1997]{0,1:T(128)(4,1)}",
    squares_of_tiles "f32[1000,4004]" "f32[1000,4004]{0,1:T(8)(4,4)}",
    squares_of_rows "f32[59,26218]{0,1}" "f32[59,26218]{1,0:T(128)(4,16)}",
    three_dimensions "u8[79,112,146]" "u8[79,112,146]{1,0,2:T(64)(32,2)}",
    wide_elements "f64[20,29474]{0,1}" "f64[20,29474]{1,0:T(128)(32,4)}",
    packed_elements "u4[2001,1998]{0,1:E(4)}" "u4[2001,1998]{1,0:T(2)(3,1)E(4)}",
}
