//! A small network: inputs that are set or not, one hidden layer, an output for each length of a
//! series.
//!
//! Whole numbers only, so that it says the same on every machine. `examples/train` finds the
//! weights.

/// Units of the hidden layer.
pub(super) const HIDDEN: usize = 32;
/// Lengths of series that are told apart: 3 moves and fewer to 14 and more.
pub(super) const LENGTHS: usize = 12;
/// What a full unit of the hidden layer counts.
const UNIT: i32 = 128;
/// What the weight one of the output counts.
const OUTPUT_ONE: i32 = 64;
/// What the weight one of the handmade evaluation counts.
const SLOPE_ONE: i32 = 256;

/// A row of the hidden layer.
pub(super) type Row = [i16; HIDDEN];

static NO_ROW: Row = [0; HIDDEN];

/// The row for a series of `length` moves.
pub(super) fn row_of(length: u16) -> usize {
    usize::from(length.clamp(3, 14) - 3)
}

/// A network.
#[derive(Debug)]
pub(super) struct Network {
    /// By input. At most 84 inputs are set at once, and no weight is beyond [`WEIGHT_MAX`], so
    /// that their sum stays within 16 bits.
    weights: Vec<Row>,
    bias: Row,
    output: [Row; LENGTHS],
    output_bias: [i16; LENGTHS],
    /// By length, what a thousandth of the handmade evaluation adds to the log-odds.
    slopes: [i16; LENGTHS],
}

/// Adds two rows. In a function of its own, which compilers turn into a few instructions on vectors;
/// inlined into the loop over the inputs it was taken apart into single numbers.
#[inline(never)]
fn add(sum: &mut Row, one: &Row, other: &Row) {
    for ((sum, one), other) in sum.iter_mut().zip(one).zip(other) {
        *sum = sum.wrapping_add(one.wrapping_add(*other));
    }
}

/// Takes one row away and adds another, like [`add`].
#[inline(never)]
fn exchange(sum: &mut Row, gone: &Row, new: &Row) {
    for ((sum, gone), new) in sum.iter_mut().zip(gone).zip(new) {
        *sum = sum.wrapping_add(new.wrapping_sub(*gone));
    }
}

/// No weight of the hidden layer is greater, or less than its negative.
const WEIGHT_MAX: i16 = 380;

/// The bytes that a network of `inputs` inputs takes in its file.
pub(super) const fn bytes_of(inputs: usize) -> usize {
    2 * (HIDDEN * (inputs + 1 + LENGTHS) + 2 * LENGTHS)
}

impl Network {
    /// The network of `inputs` inputs that comes next in `numbers`, field by field.
    pub(super) fn read(numbers: &mut impl Iterator<Item = i16>, inputs: usize) -> Network {
        let mut number = || numbers.next().unwrap_or(0);
        let mut row = || -> Row { [(); HIDDEN].map(|()| number()) };
        let weights = (0..inputs)
            .map(|_| row().map(|weight| weight.clamp(-WEIGHT_MAX, WEIGHT_MAX)))
            .collect();
        let bias = row();
        let output = [(); LENGTHS].map(|()| row());
        Network {
            weights,
            bias,
            output,
            output_bias: [(); LENGTHS].map(|()| number()),
            slopes: [(); LENGTHS].map(|()| number()),
        }
    }

    /// The hidden layer without any input.
    pub(super) fn bias(&self) -> Row {
        self.bias
    }

    /// Adds inputs to the hidden layer.
    pub(super) fn add(&self, hidden: &mut Row, inputs: impl Iterator<Item = u16>) {
        let mut rows = inputs.map(|input| &self.weights[usize::from(input)]);
        while let Some(row) = rows.next() {
            add(hidden, row, rows.next().unwrap_or(&NO_ROW));
        }
    }

    /// Takes inputs from the hidden layer and adds others.
    pub(super) fn exchange(&self, hidden: &mut Row, gone: &[u16], new: &[u16]) {
        let row = |inputs: &[u16], index: usize| match inputs.get(index) {
            Some(&input) => &self.weights[usize::from(input)],
            None => &NO_ROW,
        };
        for index in 0..gone.len().max(new.len()) {
            exchange(hidden, row(gone, index), row(new, index));
        }
    }

    /// The log-odds, in thousandths, for this hidden layer and the row of a length; `handmade` is
    /// the handmade evaluation, in hundredths of a pawn.
    pub(super) fn log_odds(&self, hidden: &Row, length: usize, handmade: i32) -> i32 {
        let mut sum = i32::from(self.output_bias[length]) * UNIT;
        for (&unit, &weight) in hidden.iter().zip(&self.output[length]) {
            sum += i32::from(unit).clamp(0, UNIT) * i32::from(weight);
        }
        // Within 32 units, each of at most 2^15 * 2^7: a division first would lose the small ones.
        let from_hidden = i64::from(sum) * 1000 / i64::from(UNIT * OUTPUT_ONE);
        from_hidden as i32 + handmade * i32::from(self.slopes[length]) / SLOPE_ONE
    }
}
