//! Tiles in shared memory, by the names of other systems.
