//! Set-ups for random games.

/// Positions to start from; those that are not sound under some rules (no king, two kings) are
/// for the others.
pub const SET_UPS: [&str; 36] = [
    // Middle games.
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 1",
    "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 1",
    "rnbqkb1r/pp3ppp/4pn2/2pp4/3P1B2/2N1P3/PPP2PPP/R2QKBNR w KQkq - 0 1",
    "r2q1rk1/pb1n1ppp/1p2pn2/2pp4/1bPP4/1PN1PN2/PB2BPPP/R2QK2R w KQ - 0 1",
    "2kr3r/ppp2ppp/2nq1n2/3p1b2/3P1B2/2NQ1N2/PPP2PPP/R3K2R w KQ - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R b KQkq - 0 1",
    // Chess960 castling.
    "1rk2r2/pp1ppp1p/8/2p5/6P1/8/PP1PPP1P/1RK2R2 w FBfb - 0 1",
    "rk4r1/pppppppp/8/8/8/8/PPPPPPPP/RK4R1 w GAga - 0 1",
    "5rkr/pppppppp/8/8/8/8/PPPPPPPP/5RKR w HFhf - 0 1",
    "rkr5/8/2n5/8/8/5N2/8/RKR5 w CAca - 0 1",
    "1r1k2r1/p2p3p/8/8/8/8/P2P3P/1R1K2R1 b GBgb - 0 1",
    // Promotions near at hand.
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
    "r1b1k1n1/1P1P1P1P/8/8/8/8/p1p1p1p1/1N1K1B1R w - - 0 1",
    "8/2P1P1P1/7k/8/8/K7/1p1p1p2/8 b - - 0 1",
    "3r4/2P1P3/7k/8/8/K7/1p1p4/2Q5 b - - 0 1",
    // Pawns to be taken in passing.
    "7k/2p1p1p1/8/1P1P1P1P/1p1p1p1p/8/P1P1P1P1/K7 w - - 0 1",
    "4k3/8/8/8/pPpPpPpP/8/8/4K3 b - - 0 1",
    "4k3/8/8/PpPpPpPp/8/8/8/4K3 w - - 0 1",
    "8/6bb/8/8/R1pP2k1/4P3/P7/K7 b - - 0 1",
    "8/8/8/8/1k1Pp2R/8/8/4K3 b - - 0 1",
    "3k4/8/3r4/2pP4/8/8/3K4/8 w - - 0 1",
    "8/8/1k6/2b5/2pP4/8/5K2/8 b - - 0 1",
    // Pins, checks, lone kings, few moves.
    "3rrr1k/8/8/8/8/8/P3N3/4K3 w - - 0 1",
    "k1N5/2K5/8/8/8/1b6/8/R7 b - - 0 1",
    "6r1/8/4k3/8/3P4/7p/7P/7K w - - 0 1",
    "4k3/q3R3/8/8/8/8/8/4K3 b - - 0 1",
    "5k2/8/8/8/8/8/5nPP/5QRK w - - 0 1",
    "8/8/8/8/k7/8/p7/1K3B2 b - - 0 1",
    // For kings that are ordinary men.
    "k2k4/PP6/8/8/8/8/1p1p4/K3K2R w - - 0 1",
    "8/PPPP4/8/2r5/8/8/4pppp/1N6 w - - 0 1",
    "rn2kbnr/p1p2ppp/8/3q4/8/8/P1P2PPP/RN1Q1BNR b - - 0 1",
];
