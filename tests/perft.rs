//! The published perft numbers (rules, section 5).
#![allow(missing_docs)]

use seriatim::rules::{
    CheckRule, Preset, RuleSet, SeriesPosition, count_distinct, count_moves, count_series,
};

fn logical_with_italian_checks() -> RuleSet {
    RuleSet {
        checks: CheckRule::Last,
        ..Preset::Logical.rules()
    }
}

fn move_perft(rules: RuleSet) -> Vec<u64> {
    let start = SeriesPosition::start(rules);
    (1..=4).map(|depth| count_moves(&start, depth)).collect()
}

#[test]
fn move_sequences_from_the_start() {
    assert_eq!(
        move_perft(Preset::Italian.rules()),
        [20, 400, 8902, 196_812]
    );
    assert_eq!(
        move_perft(Preset::Scottish.rules()),
        [20, 400, 8902, 197_281]
    );
    assert_eq!(
        move_perft(Preset::English.rules()),
        [20, 400, 8256, 183_168]
    );
    assert_eq!(move_perft(Preset::Logical.rules()), [12, 144, 2124, 31_250]);
    assert_eq!(
        move_perft(logical_with_italian_checks()),
        [12, 144, 2124, 31_171]
    );
}

#[test]
fn ordinary_chess_falls_out_of_the_same_generator() {
    let start = SeriesPosition::start(RuleSet::ORDINARY);
    assert_eq!(count_moves(&start, 5), 4_865_609);
    assert_eq!(count_moves(&start, 6), 119_060_324);
}

#[track_caller]
fn assert_series(rules: RuleSet, series: [u64; 3], mates: u64) {
    let start = SeriesPosition::start(rules);
    assert_eq!(count_series(&start, 1, false).series, series[0]);
    assert_eq!(count_series(&start, 2, false).series, series[1]);
    assert_eq!(count_series(&start, 3, false).series, series[2]);
    let third = count_series(&start, 3, true);
    assert_eq!(
        (third.series, third.mates, third.progressive_mates),
        (series[2], mates, 0)
    );
}

#[test]
fn complete_series_italian() {
    assert_series(Preset::Italian.rules(), [20, 8902, 131_624_656], 15_216);
}

#[test]
fn complete_series_scottish() {
    assert_series(Preset::Scottish.rules(), [20, 8902, 131_652_734], 15_572);
}

#[test]
fn complete_series_logical() {
    assert_series(Preset::Logical.rules(), [12, 2124, 11_579_735], 818);
    assert_series(logical_with_italian_checks(), [12, 2124, 11_574_784], 812);
}

#[test]
fn complete_series_english() {
    let start = SeriesPosition::start(Preset::English.rules());
    assert_eq!(count_series(&start, 1, false).series, 20);
    assert_eq!(count_series(&start, 2, false).series, 8256);
}

#[test]
fn distinct_end_positions() {
    let distinct = |rules, turns| {
        let count = count_distinct(&SeriesPosition::start(rules), turns);
        (count.placements, count.with_double_steps)
    };
    assert_eq!(distinct(Preset::Italian.rules(), 1).0, 20);
    assert_eq!(distinct(Preset::Italian.rules(), 2).0, 5362);
    assert_eq!(
        distinct(Preset::Italian.rules(), 3),
        (7_940_009, 14_658_394)
    );
    assert_eq!(
        distinct(Preset::Scottish.rules(), 3),
        (7_941_004, 14_659_447)
    );
    assert_eq!(distinct(Preset::Logical.rules(), 3).0, 907_610);
    assert_eq!(distinct(logical_with_italian_checks(), 3).0, 907_224);
    // Published with every double step counted, takeable or not.
    assert_eq!(distinct(Preset::English.rules(), 2).1, 4816);
}

#[test]
fn white_alone_from_the_start() {
    let numbers: [(u64, u64); 5] = [
        (20, 20),
        (445, 268),
        (11_048, 3036),
        (301_891, 30_042),
        (8_941_796, 262_132),
    ];
    for (moves, (series, distinct)) in (1u8..).zip(numbers) {
        let schedule = format!("{moves}+1").parse().expect("a schedule");
        let start = SeriesPosition::start(RuleSet {
            schedule,
            ..Preset::Italian.rules()
        });
        assert_eq!(count_series(&start, 1, false).series, series);
        assert_eq!(count_distinct(&start, 1).with_rights, distinct);
    }
}
