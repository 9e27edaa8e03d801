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
    let mut count = 0;
    each!(for family in FAMILIES {
        count += family.len();
    });
    count
};

/// Family by family.
pub(super) const ROWS: [&Row; COUNT] = {
    let (mut rows, mut count) = ([&FAMILIES[0][0]; COUNT], 0);
    each!(for family in FAMILIES {
        each!(for row in *family {
            rows[count] = row;
            count += 1;
        });
    });
    rows
};
