//! Bank conflicts: how many passes over the banks an access of shared memory takes.
