//! Fragments: arrays spread over the lanes and registers of a GPU.
