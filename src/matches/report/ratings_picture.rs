//! The joint ratings of a tournament as an SVG picture: a point and its 95 % interval for each engine.

use std::fmt::Write;

use super::{
    picture::{TITLE_MAX, escape, label, ticks},
    summary::Summary,
};

const WIDTH: f64 = 800.0;
const ROW: f64 = 28.0;
const TOP: f64 = 50.0;
/// Where the names end and the diagram begins.
const LEFT: f64 = 200.0;
/// How many letters of a name find room before it.
const NAME_MAX: usize = 28;
const RIGHT: f64 = 740.0;

/// The picture, the strongest engine on top; `None` without joint ratings.
pub fn ratings(summary: &Summary, title: &str) -> Option<String> {
    let mut rows: Vec<(&str, f64, f64)> = summary
        .engines
        .iter()
        .filter_map(|engine| {
            let error = engine.rating_error.unwrap_or(0.0);
            Some((engine.name.as_str(), engine.rating?, error))
        })
        .collect();
    if rows.is_empty() {
        return None;
    }
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    let ends = |sign: f64| {
        rows.iter()
            .map(move |&(_, rating, error)| rating + sign * error)
    };
    let (mut low, mut high) = (
        ends(-1.0).fold(f64::MAX, f64::min),
        ends(1.0).fold(f64::MIN, f64::max),
    );
    let slack = (0.05 * (high - low)).max(1.0);
    (low, high) = (low - slack, high + slack);
    let x = |value: f64| LEFT + (RIGHT - LEFT) * (value - low) / (high - low);
    let bottom = TOP + ROW * rows.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"20\" y=\"24\" font-size=\"16\">{}</text>\n\
         <rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"black\"/>\n",
        bottom + 50.0,
        escape(title, TITLE_MAX),
        RIGHT - LEFT,
        bottom - TOP
    );
    // Writing to a String cannot fail, here and below.
    for step in ticks(low, high) {
        let x = x(step);
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{}\" stroke=\"gainsboro\"/>\n\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            bottom + 5.0,
            bottom + 18.0,
            label(step)
        );
    }
    for (index, &(name, rating, error)) in rows.iter().enumerate() {
        let y = TOP + ROW * (index as f64 + 0.5);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n\
             <line x1=\"{:.1}\" y1=\"{y}\" x2=\"{:.1}\" y2=\"{y}\" stroke=\"steelblue\" stroke-width=\"2\"/>\n\
             <circle cx=\"{:.1}\" cy=\"{y}\" r=\"4\" fill=\"steelblue\"/>",
            LEFT - 8.0,
            y + 4.0,
            escape(name, NAME_MAX),
            x(rating - error),
            x(rating + error),
            x(rating)
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{RIGHT}\" y=\"{}\" text-anchor=\"end\">Elo, with its 95 % interval</text>\n</svg>",
        bottom + 38.0
    );
    Some(svg)
}
