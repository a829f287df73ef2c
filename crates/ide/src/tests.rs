//! Tests of the editor features on small programs.
