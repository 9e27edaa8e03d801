//! Pictures: the document's figures, and every cell of many layouts against the naive model.

use layout::{ArrayShape, Shape};
use layout_picture::{Label, Picture, Track};
use layout_tests::lists::permutations;
use layout_tests::naive::Naive;
use layout_tests::random::Random;
use layout_tests::{data, pairs, pictures, table};

fn picture(text: &str) -> Picture {
    Picture::new(&text.parse::<ArrayShape>().unwrap()).expect("the sizes are known")
}

/// Between the columns of a tile only the second level ends. What else the figures show, the naive model says.
#[test]
fn the_documents_figures() {
    pictures::check(&Naive::new(&[4, 8], &[1, 0], &[&[Some(2), Some(4)], &[Some(2), Some(1)]]));
    let slice = picture("F32[4,8]{1,0:T(2,4)(2,1)}").slice(0, [9, 9]).unwrap();
    let borders = slice.cells[..8].iter().map(|cell| cell.right).collect::<Vec<_>>();
    let (inner, outer) = (Some(1), Some(0));
    assert_eq!(borders, [inner, inner, inner, outer, inner, inner, inner, outer]);
    assert_eq!((slice.cell(0, 0).below, slice.cell(1, 0).below), (None, Some(0)));
    let slice = picture("F32[3,5]{1,0:T(2,2)}").slice(0, [9, 9]).unwrap();
    let tiles = slice.cells[..6].iter().map(|cell| cell.tile).collect::<Vec<_>>();
    assert_eq!(tiles, [0, 0, 1, 1, 2, 2]);
}

#[test]
fn axes_are_named_as_in_the_document() {
    table::check("axes", &mut |question, columns| match question {
        "names" => picture(columns[0]).axis_names().join(","),
        _ => picture(columns[0]).slice(4, [9, 9]).unwrap().title,
    });
}

/// Of a large array the ends of its tiles and of its elements are shown.
#[test]
fn what_is_shown_of_a_large_array() {
    let slice = picture("f32[300,500]{1,0:T(8,128)}").slice(0, [12, 12]).unwrap();
    let shown = |tracks: &[Track], at| tracks.contains(&Track::At(at));
    for at in [0, 1, 7, 8, 299, 300, 303] {
        assert!(shown(&slice.rows, at), "{at} of {:?}", slice.rows);
    }
    for at in [0, 1, 127, 128, 499, 500, 511] {
        assert!(shown(&slice.columns, at), "{at} of {:?}", slice.columns);
    }
    let lines = picture("f32[300,500]{1,0:T(8,128)}").memory(10, 10);
    let starts = lines.iter().map(|line| line.start).collect::<Vec<_>>();
    assert_eq!(starts, [0, 128, 1024, 3188, 4096, 155_643]);
    let index = |line: usize| lines[line].slots[0].index.clone();
    assert_eq!((index(1), index(2), index(3)), (Some(vec![1, 0]), Some(vec![0, 128]), None));
    assert_eq!(index(4), Some(vec![8, 0]));
}

#[test]
fn every_layout_of_two_small_dimensions() {
    let seconds = [vec![Some(1)], vec![Some(2)], vec![Some(3)]];
    let firsts = [None, Some(1), Some(2), Some(3)];
    let mut all = vec![vec![]];
    for second in seconds {
        all.push(vec![second.clone()]);
        for first in firsts {
            let tile = [&[first], &second[..]].concat();
            all.push(vec![tile.clone()]);
            all.push(vec![tile.clone(), vec![Some(2), Some(1)]]);
            all.push(vec![tile, vec![None, Some(4)]]);
        }
    }
    for dims in [vec![], vec![5], vec![3, 5], vec![4, 1], vec![0, 3]] {
        for minor_to_major in &permutations(dims.len()) {
            for tiles in &all {
                let (dims, minor_to_major) = (dims.clone(), minor_to_major.clone());
                let tiles = tiles.clone();
                pictures::check(&Naive { dims, minor_to_major, tiles, ..Naive::default() });
            }
        }
    }
}

/// Axes, slices, labels and widths change neither what a slot is nor what is there to see.
#[test]
fn what_is_drawn_is_chosen() {
    let text = "f32[2,3,5]{1,2,0:T(2,2)}";
    let naive = Naive::new(&[2, 3, 5], &[1, 2, 0], &[&[Some(2), Some(2)]]);
    let memory = naive.memory();
    let extents = [2, 4, 6];
    assert_eq!(naive.text("f32"), text);
    for (rows, columns) in (0..4).flat_map(|rows| (0..4).map(move |columns| (rows, columns))) {
        let drawn = picture(text).with_axes(rows, columns);
        assert_eq!(drawn.is_some(), rows != columns && rows < 3 && columns < 3);
        let Some(drawn) = drawn else { continue };
        assert_eq!(drawn.axes(), [Some(rows), Some(columns)]);
        assert_eq!(drawn.extent(), [extents[rows], extents[columns]]);
        let other = 3 - rows - columns;
        assert_eq!(drawn.slice_count(), extents[other]);
        pictures::slots_of(&drawn, &naive.dims, &memory, text);
        let mut at = [9; 3];
        at[other] = extents[other];
        assert!(drawn.at(&at).is_none(), "out of range");
        at[other] -= 1;
        assert!(picture(text).with_axes(rows, columns).and_then(|it| it.at(&at)).is_some());
        at[other] = 1;
        let drawn = picture(text).with_axes(rows, columns).and_then(|drawn| drawn.at(&at)).unwrap();
        let slice = drawn.slice(0, [9, 9]).unwrap();
        assert_eq!((drawn.slice_count(), slice.start.map(|start| start[other])), (1, Some(1)));
        for label in Label::ALL {
            for width in [0, 360, 1264, usize::MAX] {
                let drawn = picture(text).with_axes(rows, columns).unwrap();
                let drawn = drawn.at(&at).unwrap().with_label(*label).with_width(width);
                pictures::slots_of(&drawn, &naive.dims, &memory, text);
                pictures::limits(&drawn, text);
            }
        }
    }
    assert!(picture(text).at(&[0, 0]).is_none() && picture("f32[]").at(&[]).is_some());
    assert!(picture(text).with_axes(usize::MAX, 0).is_none());
}

/// A narrow picture has its memory below the grid.
#[test]
fn narrow_pictures() {
    for text in ["f32[3,5]{1,0:T(2,2)}", "f32[300,500]{1,0:T(8,128)}", "u8[4,4,4,4,4,4]"] {
        for pixels in [360, 500, 800] {
            let svg = picture(text).with_width(pixels).svg();
            let width = svg.split('"').nth(5).unwrap().parse::<usize>().unwrap();
            assert!(width <= pixels + 8, "{text}: {width} of {pixels}");
        }
    }
}

/// The document's examples: the last stage of Figure 1 is memory, and `*` combines first.
#[test]
fn steps_of_the_document() {
    let steps = picture("f32[3,5]{1,0:T(2,2)}").steps();
    let says = steps.iter().map(|step| (&*step.name, &*step.says)).collect::<Vec<_>>();
    assert_eq!(
        says,
        [
            ("array", "the dimensions from major to minor: [3,5]"),
            ("pad", "pads [3,5] to [4,6], multiples of the tile (2,2)"),
            ("reshape", "splits each dimension under the tile in two: [2,2,3,2]"),
            ("transpose", "moves the tile's dimensions to the end, by (0,2,1,3): [2,3,2,2]"),
        ]
    );
    for step in &steps {
        assert_eq!(step.svg.matches("data-offset=\"17\" data-index=\"2,3\"").count(), 1);
    }
    let steps = picture("F32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}").steps();
    assert_eq!((&*steps[1].name, &*steps[1].bounds), ("combine and pad", &[112, 111][..]));
    let dims = [2, 7, 8, 11, 10];
    let tile = [None, None, Some(2), None, Some(3)];
    pictures::check(&Naive::new(&dims, &[4, 3, 2, 1, 0], &[&tile]));
    assert!(picture("f32[0,3]").steps().is_empty());
}

#[test]
fn random_layouts() {
    let mut random = Random::new(7);
    let mut checked = 0;
    while checked < 1500 {
        let rank = random.below(6);
        let dims = (0..rank).map(|_| 1 + random.below_size([30, 30, 20, 9, 5, 4][rank]));
        let dims = dims.collect::<Vec<_>>();
        let naive = pairs::layout(&mut random, &dims, true);
        if naive.size_within(8000).is_some() {
            pictures::check(&naive);
            checked += 1;
        }
    }
}

/// What the TPU compiler chose: large arrays, drawn in part.
#[test]
fn real_layouts_stay_within_the_limits() {
    let mut drawn = 0;
    for text in data::text("tpu_shapes.txt").lines().step_by(5) {
        if let Ok(Shape::Array(array)) = text.parse::<Shape>()
            && let Some(picture) = Picture::new(&array)
        {
            pictures::limits(&picture, text);
            let mut picture = picture;
            for columns in [80, 131, 240] {
                picture = picture.with_columns(columns);
                pictures::text_limits(&picture.to_string(), columns, text);
            }
            drawn += 1;
        }
    }
    assert!(drawn > 300, "{drawn}");
}

/// The least width is 80 characters, and at 100 a picture is as it is without a call. Unknown sizes have none.
#[test]
fn widths() {
    assert!(Picture::new(&"f32[?,3]".parse().unwrap()).is_none());
    let text = "bf16[16,1280,40]{2,1,0:T(8,128)(2,1)}";
    let at = |columns| picture(text).with_columns(columns).to_string();
    assert_eq!((at(0), at(100)), (at(80), picture(text).to_string()));
    assert!(at(usize::MAX).lines().any(|line| line.chars().count() > 240));
}

/// Where tiles end in what is left out, it is drawn with other signs.
#[test]
fn tiles_that_end_in_gaps() {
    let text = picture("f32[300,500]{1,0:T(8,128)}").to_string();
    assert!(text.contains('┊') && text.contains("┄┄"), "{text}");
}
