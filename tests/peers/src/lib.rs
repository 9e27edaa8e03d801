//! Nothing: the benchmarks are beside this folder.
