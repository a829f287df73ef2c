//! `.hash()` of what the language has: the same number on every machine and at every level.

/// A number that equal bytes have in common: FNV-1a, with its bits mixed once more so that the low ones tell much apart,
/// too.
pub fn hash(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for byte in bytes {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn near_keys_have_hashes_that_differ_in_their_low_bits() {
        let mut seen = [0; 64];
        for number in 0..6400u64 {
            seen[(hash(&number.to_le_bytes()) % 64) as usize] += 1;
        }
        assert!(seen.iter().all(|count| (50..=150).contains(count)), "{seen:?}");
        assert_ne!(hash(b"ab"), hash(b"ba"));
        assert_eq!(hash(b"neuro"), hash(&b"neuron"[..5]));
    }
}
