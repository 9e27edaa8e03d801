//! Random expressions, each evaluated by numpy and read by the library.

use layout_tests::amount::times;
use std::io::Write as _;
use std::process::{Command, Stdio};

use layout::__private::core::native;
use layout::notation::Numpy;
use layout::{ArrayShape, Size};
use layout_tests::lists::list;
use layout_tests::naive::offsets;
use layout_tests::random::Random;

use crate::packed::array;

/// Evaluates each line, sizes and an expression, and prints what stands in memory: numbers of elements from 1 on, and 0
/// for padding.
const PROGRAM: &str = "
import sys, math
import numpy as np
for line in sys.stdin:
    dims, text = line.rstrip('\\n').split(';')
    dims = [int(dim) for dim in dims.split(',') if dim]
    x = np.arange(1, math.prod(dims) + 1).reshape(dims)
    try:
        print(*eval(text, {'np': np, 'x': x}).reshape(-1))
    except (ValueError, IndexError):
        print('refused')
";

/// What numpy makes of each expression, or `None` where it refuses; nothing if numpy is not installed.
fn evaluated(cases: &[(Vec<Size>, String)]) -> Option<Vec<Option<Vec<Size>>>> {
    let numpy = Command::new("python3").args(["-c", "import numpy"]).output();
    if !numpy.is_ok_and(|output| output.status.success()) {
        println!("SKIPPED: `python3` with numpy is not installed");
        return None;
    }
    let mut python = Command::new("python3")
        .args(["-c", PROGRAM])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let lines = cases.iter().map(|(dims, text)| format!("{};{text}\n", list(dims)));
    let lines = lines.collect::<String>();
    let mut input = python.stdin.take().expect("it reads");
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = python.wait_with_output().expect("it ends");
    writer.join().expect("no panic").expect("it reads all");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("text");
    let numbers = |line: &str| line.split(' ').map(|number| number.parse().ok()).collect();
    Some(text.lines().map(numbers).collect())
}

/// Sizes with that product, of at most `most` dimensions.
fn factors(random: &mut Random, product: Size, most: usize) -> Vec<Size> {
    let mut sizes = vec![1; 1 + random.below(most)];
    let mut rest = product;
    let mut factor = 2;
    while rest > 1 {
        if rest.is_multiple_of(factor) {
            rest /= factor;
            *sizes.last_mut().unwrap() *= factor;
            let other = random.below(sizes.len());
            let last = sizes.len() - 1;
            sizes.swap(other, last);
        } else {
            factor += 1;
        }
    }
    sizes
}

/// An expression of calls that go with the sizes, but for a few.
fn expression(random: &mut Random, dims: &[Size]) -> String {
    let mut text = "x".to_owned();
    let mut axes = dims.to_vec();
    let mut unpadded = Vec::new();
    for _ in 0..1 + random.below(6) {
        match random.below(8) {
            0 | 1 => {
                // A size of the array is divided, or neighbours are joined, or anything.
                let at = random.below(axes.len().max(1));
                if let Some(&size) = axes.get(at).filter(|_| random.below(4) > 0) {
                    let parts = factors(random, size, 3);
                    axes.splice(at..=at, parts);
                } else {
                    axes = factors(random, axes.iter().product(), 4);
                }
                let mut written = list(&axes);
                if random.below(4) == 0 {
                    written = written.replacen(&axes[0].to_string(), "-1", 1);
                }
                if axes.len() == 1 || random.below(3) > 0 {
                    text += &format!(".reshape({written})");
                } else {
                    text += &format!(".reshape(({written}))");
                }
            }
            2 if random.below(3) == 0 => {
                axes = vec![axes.iter().product()];
                text += ".reshape(-1)";
            }
            3 | 4 => {
                let mut order = (0..axes.len()).collect::<Vec<_>>();
                for at in 1..order.len() {
                    order.swap(at, random.below(at + 1));
                }
                if random.below(4) == 0 {
                    order = (0..axes.len()).rev().collect();
                    text += ".transpose()";
                } else {
                    let minus = random.below(axes.len().max(1));
                    let written = order.iter().map(|&axis| match axis == minus {
                        true => format!("{}", axis as isize - axes.len() as isize),
                        false => axis.to_string(),
                    });
                    text += &format!(".transpose({})", written.collect::<Vec<_>>().join(", "));
                }
                axes = order.iter().map(|&axis| axes[axis]).collect();
            }
            5 if !axes.is_empty() && axes.iter().product::<Size>() < 2000 => {
                unpadded.clone_from(&axes);
                let at = random.below(axes.len());
                let pad = 1 + random.below_size(5);
                axes[at] += pad;
                let written = (0..axes.len()).map(|axis| if axis == at { pad } else { 0 });
                let written = written.map(|pad| format!("(0, {pad}),")).collect::<String>();
                text = format!("np.pad({text}, ({written}))");
            }
            6 if unpadded.len() == axes.len() && !axes.is_empty() => {
                let at = random.below(axes.len());
                if unpadded[at] < axes[at] {
                    axes[at] = unpadded[at];
                }
                let written = axes.iter().map(|size| format!(":{size}")).collect::<Vec<_>>();
                text += &format!("[{}]", written.join(", "));
            }
            7 if random.below(8) == 0 && !axes.is_empty() => {
                axes[0] = 1 + random.below_size(axes[0]);
                text += &format!("[:{}]", axes[0]);
            }
            _ => {}
        }
    }
    text
}

/// Each element stands where numpy puts it, and no slot follows.
#[test]
fn reads_what_numpy_evaluates() {
    let mut random = Random::new(2026);
    let mut cases = Vec::new();
    for _ in 0..times(20_000) {
        let sizes = [1, 1, 2, 3, 4, 5, 6, 8, 12];
        let dims = (0..random.below(4)).map(|_| *random.pick(&sizes)).collect::<Vec<_>>();
        let text = expression(&mut random, &dims);
        cases.push((dims, text));
    }
    let Some(evaluated) = evaluated(&cases) else { return };
    assert_eq!(evaluated.len(), cases.len());
    let (mut read, mut refused) = (0, std::collections::BTreeMap::<_, usize>::new());
    for ((dims, text), memory) in cases.iter().zip(evaluated) {
        let layout = Numpy::layout(text, &array(dims));
        let Some(memory) = memory else {
            assert!(layout.is_err(), "numpy refuses {text} of {dims:?}");
            continue;
        };
        match layout {
            Ok(layout) => {
                compare(&layout, dims, &memory, text);
                read += 1;
            }
            Err(error) => {
                let error = error.to_string();
                let what = error.lines().next().unwrap();
                *refused.entry(what.to_owned()).or_default() += 1;
            }
        }
    }
    println!("{read} read, {refused:#?}");
    assert!(read > times(18_500), "{read}, {refused:?}");
}

fn compare(layout: &ArrayShape, dims: &[Size], memory: &[Size], text: &str) {
    assert_eq!(layout.padded_elements(), Some(memory.len() as Size), "{text} as {layout}");
    assert_eq!(dims.iter().product::<Size>(), layout.elements().unwrap());
    for (number, offset) in offsets(layout).into_iter().enumerate() {
        assert_eq!(memory[native(offset)], number as Size + 1, "{text} as {layout}");
    }
}
