//! Random choices that repeat exactly: from a seed, on every machine, in every version.

/// A stream of random numbers (`SplitMix64` by Sebastiano Vigna, public domain).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A stream that depends on all of `seeds`, in order.
    pub fn new(seeds: &[u64]) -> Random {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        for &seed in seeds {
            random.0 ^= seed;
            random.0 = random.next();
        }
        random
    }

    /// The next number, all 64 bits random.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which must not be 0; every one is equally likely.
    pub fn below(&mut self, bound: u64) -> u64 {
        // Numbers in the incomplete last block of `bound` would favour the small ones.
        let excess = (u64::MAX % bound + 1) % bound;
        loop {
            let number = self.next();
            if number <= u64::MAX - excess {
                return number % bound;
            }
        }
    }

    /// Shuffles; every order is equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffles_are_fair() {
        let mut counts = [[0u32; 10]; 10];
        let shuffles = 100_000;
        for seed in 0..shuffles {
            let mut items: Vec<usize> = (0..10).collect();
            Random::new(&[seed]).shuffle(&mut items);
            for (place, &item) in items.iter().enumerate() {
                counts[place][item] += 1;
            }
        }
        let expected = shuffles as f64 / 10.0;
        let chi_square: f64 = counts
            .iter()
            .flatten()
            .map(|&count| (f64::from(count) - expected).powi(2) / expected)
            .sum();
        // 81 degrees of freedom: 99.9 % of fair shuffles stay below 126.
        assert!(chi_square < 126.0, "{chi_square}");
    }

    #[test]
    fn seeds_matter_in_order() {
        let first = |seeds: &[u64]| Random::new(seeds).next();
        assert_eq!(first(&[1, 2]), first(&[1, 2]));
        assert_ne!(first(&[1, 2]), first(&[2, 1]));
        assert_ne!(first(&[1]), first(&[1, 0]));
    }
}
