//! Both parsers on programs with a token too many, too few, or in the wrong place.
