//! Quantized weights as checkpoints and GPU kernels hold them.

use crate::packed_format::row::{BYTES, CODES, CODES_2, Family, HALVES, Row, SCALES};

const fn stacked(definition: &'static str) -> Row {
    Row { stacks: true, ..Row::of(Family::Weights, definition) }
}

const GPTQ: Row = stacked(
    "https://github.com/ModelCloud/GPTQModel/blob/main/gptqmodel/nn_modules/qlinear/__init__.py",
);
const GPTQ_ZEROS: Row =
    Row { note: "checkpoints of GPTQ v1 store each zero point less one", ..GPTQ };
const AWQ: Row =
    stacked("https://github.com/casper-hansen/AutoAWQ/blob/main/awq/utils/packing_utils.py");
const AWQ_FAST: Row =
    stacked("https://github.com/casper-hansen/AutoAWQ/blob/main/awq/modules/linear/gemv_fast.py");
const MARLIN: Row = stacked("https://github.com/IST-DASLab/marlin/blob/master/marlin/__init__.py");
const QUANTO: Row = stacked(
    "https://github.com/huggingface/optimum-quanto/blob/main/optimum/quanto/tensor/weights/marlin/int4/packed.py",
);
const QUANTO_ROWS: Row = Row {
    note: "if the parts do not divide the rows, the matrix is padded at its end; in a layout of `[N,K]` itself the tile \
           depends on N: `u4[8,3]{0,1:T(4)(3,2,1)E(4)}`",
    ..stacked(
        "https://github.com/huggingface/optimum-quanto/blob/main/optimum/quanto/tensor/packed.py",
    )
};
const QQQ: Row = stacked(
    "https://github.com/ModelCloud/GPTQModel/blob/main/gptqmodel/nn_modules/qlinear/qqq.py",
);
const VLLM: Row = stacked(
    "https://github.com/vllm-project/vllm/blob/main/vllm/model_executor/layers/quantization/utils/marlin_utils.py",
);
const MLX: Row = stacked(
    "https://ml-explore.github.io/mlx/build/html/python/_autosummary/mlx.core.quantize.html",
);
const CUBLAS: Row =
    stacked("https://docs.nvidia.com/cuda/cublas/index.html#d-block-scaling-factors-layout");

formats! {
    GPTQ "gptq" "K,N" ["gptq qweight", "exllama", "exllamav2", "gptq 4 bit", "gptq 2 bit", "gptq 8 bit"]
        "`qweight` of GPTQ and ExLlama: each 32-bit word has consecutive rows of one column"
        Gptq U4[K = 32, N = 4]{1,0:T(8,1)E(4)} for CODES,
        Gptq2 U2[K = 32, N = 4]{1,0:T(16,1)E(2)} for CODES_2,
        Gptq8 U8[K = 16, N = 4]{1,0:T(4,1)} for BYTES;
    GPTQ_ZEROS "gptq_qzeros" "groups,N" ["gptq zeros", "gptq zero points"]
        "`qzeros` of GPTQ: each 32-bit word has consecutive columns of one group"
        GptqQzeros U4[GROUPS = 4, N % 8 = 16]{1,0:E(4)} for CODES,
        GptqQzeros2 U2[GROUPS = 4, N % 16 = 16]{1,0:E(2)} for CODES_2,
        GptqQzeros8 U8[GROUPS = 4, N % 4 = 16]{1,0} for BYTES;
    AWQ "awq" "K,N" ["awq qweight", "awq gemm", "autoawq"]
        "`qweight` of AWQ (GEMM): each 32-bit word has columns 0, 2, 4, 6, 1, 3, 5, 7"
        Awq U4[K = 4, N % 8 = 16]{1,0:T(2)(4,1)E(4)} for CODES;
    AWQ "awq_qzeros" "groups,N" ["awq zeros", "awq zero points"]
        "`qzeros` of AWQ (GEMM), in the order of its `qweight`"
        AwqQzeros U4[GROUPS = 2, N % 8 = 16]{1,0:T(2)(4,1)E(4)} for CODES;
    AWQ "awq_gemv" "N,K" ["awq gemv qweight"] "`qweight` of AWQ (GEMV): rows of consecutive codes"
        AwqGemv U4[N = 2, K % 64 = 64]{1,0:E(4)} for CODES;
    AWQ_FAST "awq_gemv_fast" "N,K" ["awq v2", "awq llm"]
        "`qweight` of AWQ version 2 (GEMVFast): four rows together, in 16-bit words"
        AwqGemvFast U4[N % 4 = 4, K % 64 = 64]{1,0:T(4,64)(8)(4,1)E(4)} for CODES;
    MARLIN "marlin" "K,N" ["marlin qweight", "gptq marlin", "awq marlin"]
        "4-bit weights of Marlin: the operands of `mma.m16n8k16`, in the order in which its threads load them"
        Marlin U4[K % 16 = 16, N % 64 = 64]{1,0:T(16,8)(8,1)(8,2,1,2,1)(2,2,1,1,1)E(4)} for CODES;
    QUANTO "marlin_nk" "N,K" ["quanto marlin"] "as `marlin`, of weights that are given as rows of outputs"
        MarlinNk U4[N % 64 = 64, K % 16 = 16]{0,1:T(16,8)(8,1)(8,2,1,2,1)(2,2,1,1,1)E(4)} for CODES;
    QQQ "qqq" "K,N" ["qqq grouped", "qqq qweight"]
        "4-bit weights of QQQ in groups: the operands B of `mma.m16n8k16` of bytes, in the order in which its threads load them"
        Qqq U4[K % 16 = 16, N % 64 = 64]{1,0:T(2,16)(2,1,1,8)(4,4,2,2,2,1,1,1)E(4)} for CODES;
    MARLIN "marlin_scales" "groups,N" ["marlin scales grouped"]
        "scales of Marlin for weights in two or more groups"
        MarlinScales F16[GROUPS = 2, N % 64 = 64]{1,0:T(8)(8,1)} for HALVES;
    MARLIN "marlin_scales_channel" "groups,N" ["marlin scales per channel", "marlin scales single"]
        "scales of Marlin for weights in one group"
        MarlinScalesChannel F16[1, N % 32 = 64]{1,0:T(8)(4,2)} for HALVES;
    VLLM "marlin_zeros" "groups,N" ["marlin zero points", "marlin qzeros"] "zero points of Marlin"
        MarlinZeros U4[GROUPS = 2, N % 64 = 64]{1,0:T(16)(4,8)(2,4,1)E(4)} for CODES,
        MarlinZeros8 U8[GROUPS = 2, N % 64 = 64]{1,0:T(16)(2,8)(2,2,2,1)} for BYTES;
    CUBLAS "SWIZZLE_32_4_4" "rows,blocks" ["128x4 scales", "scales 128x4", "nvfp4 scales", "mxfp8 scales"]
        "scales of blocks of 16 or 32 elements, NVFP4 or MXFP8, for NVIDIA's tensor cores: cuBLAS, cuDNN, PyTorch"
        Swizzle32x4x4 F8E4M3FN[ROWS = 128, BLOCKS = 4]{1,0:T(128,4)(32,1)(4,4,1,1)} for SCALES;
    QUANTO_ROWS "quanto" "part,row,K" ["quanto pack_weights", "quanto qint4", "quanto qint2"]
        "weights of quanto: a matrix `[N,K]` as `[2,N/2,K]`, or `[4,N/4,K]` of 2 bits; a byte has a code of each part"
        Quanto U4[2, ROWS = 4, K = 3]{0,2,1:E(4)} for CODES,
        Quanto2 U2[4, ROWS = 4, K = 5]{0,2,1:E(2)} for CODES_2;
    MLX "mlx" "N,K" ["mlx affine", "mlx quantized"]
        "weights of MLX, quantized to 2, 4 or 8 bits: rows of consecutive codes in 32-bit words"
        Mlx U4[N = 2, K % 32 = 32]{1,0:E(4)} for CODES,
        Mlx2 U2[N = 2, K % 32 = 32]{1,0:E(2)} for CODES_2,
        Mlx8 U8[N = 2, K % 32 = 32]{1,0} for BYTES;
}
