//! Tensor maps: what `cuTensorMapEncodeTiled` is given for a layout and a box.
