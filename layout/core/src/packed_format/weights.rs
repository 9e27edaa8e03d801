//! Quantized weights as checkpoints and GPU kernels hold them.

use super::table::{BYTES, CODES, Entry, Family, Form, HALVES, Sizes};
use crate::shape::element::ElementType::{S2, U2};

const BASE: Entry = Entry { family: Family::Weights, stacks: true, ..Entry::NONE };
const MATRIX: Entry = Entry { dims: "K,N", ..BASE };
const GROUPS: Entry = Entry { dims: "groups,N", ..BASE };
const MARLIN: &str = "https://github.com/IST-DASLab/marlin/blob/master/marlin/__init__.py";
const GPTQ: &str =
    "https://github.com/ModelCloud/GPTQModel/blob/main/gptqmodel/nn_modules/qlinear/__init__.py";
const AWQ: &str = "https://github.com/casper-hansen/AutoAWQ/blob/main/awq/utils/packing_utils.py";
const AWQ_FAST: &str =
    "https://github.com/casper-hansen/AutoAWQ/blob/main/awq/modules/linear/gemv_fast.py";
const CODES_2: &[crate::shape::element::ElementType] = &[U2, S2];

pub(super) const FORMATS: &[Entry] = &[
    Entry {
        name: "gptq",
        aliases: &[
            "gptq qweight",
            "exllama",
            "exllamav2",
            "gptq 4 bit",
            "gptq 2 bit",
            "gptq 8 bit",
        ],
        what: "`qweight` of GPTQ and ExLlama: each 32-bit word has consecutive rows of one column",
        sizes: Sizes::MultiplesOfForms(&[&[8, 1], &[16, 1], &[4, 1]]),
        forms: &[
            Form { elements: CODES, text: "u4[32,4]{1,0:T(8,1)E(4)}" },
            Form { elements: CODES_2, text: "u2[32,4]{1,0:T(16,1)E(2)}" },
            Form { elements: BYTES, text: "u8[16,4]{1,0:T(4,1)}" },
        ],
        definition: GPTQ,
        ..MATRIX
    },
    Entry {
        name: "gptq_qzeros",
        aliases: &["gptq zeros", "gptq zero points"],
        what: "`qzeros` of GPTQ: each 32-bit word has consecutive columns of one group",
        sizes: Sizes::MultiplesOfForms(&[&[1, 8], &[1, 16], &[1, 4]]),
        forms: &[
            Form { elements: CODES, text: "u4[4,16]{1,0:E(4)}" },
            Form { elements: CODES_2, text: "u2[4,16]{1,0:E(2)}" },
            Form { elements: BYTES, text: "u8[4,16]{1,0}" },
        ],
        note: "checkpoints of GPTQ v1 store each zero point less one",
        definition: GPTQ,
        ..GROUPS
    },
    Entry {
        name: "awq",
        aliases: &["awq qweight", "awq gemm", "autoawq"],
        what: "`qweight` of AWQ (GEMM): each 32-bit word has columns 0, 2, 4, 6, 1, 3, 5, 7",
        sizes: Sizes::Multiples(&[1, 8]),
        forms: &[Form { elements: CODES, text: "u4[4,16]{1,0:T(2)(4,1)E(4)}" }],
        definition: AWQ,
        ..MATRIX
    },
    Entry {
        name: "awq_qzeros",
        aliases: &["awq zeros", "awq zero points"],
        what: "`qzeros` of AWQ (GEMM), in the order of its `qweight`",
        sizes: Sizes::Multiples(&[1, 8]),
        forms: &[Form { elements: CODES, text: "u4[2,16]{1,0:T(2)(4,1)E(4)}" }],
        definition: AWQ,
        ..GROUPS
    },
    Entry {
        name: "awq_gemv",
        aliases: &["awq gemv qweight"],
        what: "`qweight` of AWQ (GEMV): rows of consecutive codes",
        dims: "N,K",
        sizes: Sizes::Multiples(&[1, 64]),
        forms: &[Form { elements: CODES, text: "u4[2,64]{1,0:E(4)}" }],
        definition: AWQ,
        ..BASE
    },
    Entry {
        name: "awq_gemv_fast",
        aliases: &["awq v2", "awq llm"],
        what: "`qweight` of AWQ version 2 (GEMVFast): four rows together, in 16-bit words",
        dims: "N,K",
        sizes: Sizes::Multiples(&[4, 64]),
        forms: &[Form { elements: CODES, text: "u4[4,64]{1,0:T(4,64)(8)(4,1)E(4)}" }],
        definition: AWQ_FAST,
        ..BASE
    },
    Entry {
        name: "marlin",
        aliases: &["marlin qweight", "gptq marlin", "awq marlin"],
        what: "4-bit weights of Marlin: the operands of `mma.m16n8k16`, in the order in which its threads load them",
        sizes: Sizes::Multiples(&[16, 64]),
        forms: &[Form {
            elements: CODES,
            text: "u4[16,64]{1,0:T(16,8)(8,1)(8,2,1,2,1)(2,2,1,1,1)E(4)}",
        }],
        definition: MARLIN,
        ..MATRIX
    },
    Entry {
        name: "marlin_nk",
        aliases: &["quanto marlin"],
        what: "as `marlin`, of weights that are given as rows of outputs",
        dims: "N,K",
        sizes: Sizes::Multiples(&[64, 16]),
        forms: &[Form {
            elements: CODES,
            text: "u4[64,16]{0,1:T(16,8)(8,1)(8,2,1,2,1)(2,2,1,1,1)E(4)}",
        }],
        definition: "https://github.com/huggingface/optimum-quanto/blob/main/optimum/quanto/tensor/weights/marlin/int4/packed.py",
        ..BASE
    },
    Entry {
        name: "marlin_scales",
        aliases: &["marlin scales grouped"],
        what: "scales of Marlin for weights in groups, of which there are at least two",
        sizes: Sizes::Multiples(&[1, 64]),
        forms: &[Form { elements: HALVES, text: "f16[2,64]{1,0:T(8)(8,1)}" }],
        definition: MARLIN,
        ..GROUPS
    },
    Entry {
        name: "marlin_scales_channel",
        aliases: &["marlin scales per channel", "marlin scales single"],
        what: "scales of Marlin for weights in one group",
        sizes: Sizes::Multiples(&[1, 32]),
        forms: &[Form { elements: HALVES, text: "f16[1,64]{1,0:T(8)(4,2)}" }],
        definition: MARLIN,
        ..GROUPS
    },
    Entry {
        name: "marlin_zeros",
        aliases: &["marlin zero points", "marlin qzeros"],
        what: "zero points of Marlin",
        sizes: Sizes::Multiples(&[1, 64]),
        forms: &[
            Form { elements: CODES, text: "u4[2,64]{1,0:T(16)(4,8)(2,4,1)E(4)}" },
            Form { elements: BYTES, text: "u8[2,64]{1,0:T(16)(2,8)(2,2,2,1)}" },
        ],
        definition: "https://github.com/vllm-project/vllm/blob/main/vllm/model_executor/layers/quantization/utils/marlin_utils.py",
        ..GROUPS
    },
    Entry {
        name: "mlx",
        aliases: &["mlx affine", "mlx quantized"],
        what: "weights of MLX, quantized to 2, 4 or 8 bits: rows of consecutive codes in 32-bit words",
        dims: "N,K",
        sizes: Sizes::Multiples(&[1, 32]),
        forms: &[
            Form { elements: CODES, text: "u4[2,32]{1,0:E(4)}" },
            Form { elements: CODES_2, text: "u2[2,32]{1,0:E(2)}" },
            Form { elements: BYTES, text: "u8[2,32]{1,0}" },
        ],
        definition: "https://ml-explore.github.io/mlx/build/html/python/_autosummary/mlx.core.quantize.html",
        ..BASE
    },
];
