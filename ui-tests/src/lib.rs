//! What the compiler says of mistakes in layouts: see `cases`.
