//! Thread items as canonical items.
