//! The queries of the editors fit the grammar, and capture what they should.
