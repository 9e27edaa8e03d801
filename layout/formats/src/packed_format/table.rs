//! All rows.

use super::row::Row;
use super::{amd, ggml, instruction, nvidia, one_dnn, tensor, weights};

const FAMILIES: &[&[Row]] = &[
    one_dnn::FORMATS,
    ggml::FORMATS,
    weights::FORMATS,
    tensor::FORMATS,
    instruction::FORMATS,
    nvidia::FORMATS,
    amd::FORMATS,
];

const COUNT: usize = {
    let (mut count, mut family) = (0, 0);
    while family < FAMILIES.len() {
        count += FAMILIES[family].len();
        family += 1;
    }
    count
};

/// Family by family.
pub(super) const ROWS: [&Row; COUNT] = {
    let mut rows = [&FAMILIES[0][0]; COUNT];
    let (mut count, mut family) = (0, 0);
    while family < FAMILIES.len() {
        each!(for i in 0..FAMILIES[family].len() {
            rows[count] = &FAMILIES[family][i];
            count += 1;
        });
        family += 1;
    }
    rows
};
