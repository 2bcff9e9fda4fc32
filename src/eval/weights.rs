//! Every weight of the evaluation, in one place.
//!
//! A row for each stage of a game, a number for each feature, in hundredths of a pawn. The rows
//! are set by hand to begin with and meant to be replaced by what a tuning program finds.

use super::features::FEATURES;

/// How many stages the weights tell apart.
pub(super) const STAGES: usize = 7;

/// The weights, by stage (see [`super::features::stage`]) and feature (see
/// [`super::features::Feature`]).
pub(super) static WEIGHTS: [[i32; FEATURES]; STAGES] = [
    // Pawn, knight, bishop, rook, queen, king; advance, can queen, nearest; mobility, flights,
    // no flights, pressure, centre; in check, on turn; attacked: waiting, on turn.
    // Turns that stay short.
    [
        100, 310, 320, 500, 900, 350, 3, 60, 0, 4, 6, -20, 8, 0, -25, 25, -12, -2,
    ],
    // Capture everything. Fitted to 1000 games of the engine against itself (`examples/tune`), with
    // bishops and kings nearer to the other pieces, and no mobility: `docs/strength.md`.
    [
        100, 110, 50, 255, 300, 100, 3, 27, 0, 0, 0, 0, 0, 0, 0, 138, -26, 0,
    ],
    // Up to four moves.
    [
        100, 300, 310, 480, 900, 350, 3, 20, 0, 4, 14, -40, 8, 0, -20, 20, -6, -2,
    ],
    // Five and six moves.
    [
        110, 290, 300, 470, 900, 350, 3, 30, 10, 3, 14, -40, 9, 0, -20, 20, -8, -2,
    ],
    // Seven and eight moves.
    [
        130, 260, 270, 430, 850, 350, 3, 40, 20, 3, 14, -40, 9, 0, -20, 20, -8, -2,
    ],
    // Nine moves and more.
    [
        200, 240, 240, 400, 800, 350, 3, 50, 40, 3, 12, -40, 9, 3, -20, 20, -8, -2,
    ],
    // Under balance: pawns have to be moved too, and rob others of moves.
    [
        0, 300, 250, 500, 600, 350, 3, 40, 20, 3, 14, -40, 9, 0, -20, 20, -8, -2,
    ],
];
