//! Layouts of tiles in shared memory, by the names of other systems.
