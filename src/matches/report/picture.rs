//! The course of a match as an SVG picture: Elo with its error, and the log-likelihood ratio with
//! its bounds, over the games.

use std::fmt::Write;

use super::super::standings::{ProgressPoint, Standings};

const WIDTH: f64 = 800.0;
const PANEL: f64 = 280.0;
const MARGIN: f64 = 60.0;
/// How many letters of a headline the width holds.
pub(super) const TITLE_MAX: usize = 90;

/// The picture; `None` if there is nothing to show.
pub fn progress(standings: &Standings, title: &str) -> Option<String> {
    let points = &standings.progress;
    let last = points.last()?;
    let llr: Vec<(f64, f64)> = points
        .iter()
        .filter_map(|point| Some((point.games as f64, point.llr?)))
        .collect();
    let test = standings.sprt().filter(|_| !llr.is_empty());
    let panels = if test.is_some() { 2.0 } else { 1.0 };
    let height = panels * (PANEL + MARGIN) + MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"24\" font-size=\"16\">{}</text>\n",
        escape(title, TITLE_MAX)
    );
    let games = last.games as f64;
    elo_panel(&mut svg, points, games);
    if let Some(test) = test {
        let (lower, upper) = test.bounds();
        let top = MARGIN + PANEL + MARGIN;
        let name = format!("LLR, {} [{}, {}]", test.model(), test.elo0(), test.elo1());
        let panel = Panel::new(
            top,
            games,
            llr.iter().map(|&(_, llr)| llr).chain([lower, upper]),
        );
        panel.frame(&mut svg, &name);
        panel.level(&mut svg, lower, "firebrick");
        panel.level(&mut svg, upper, "forestgreen");
        panel.line(&mut svg, &llr, "steelblue");
    }
    svg.push_str("</svg>\n");
    Some(svg)
}

fn elo_panel(svg: &mut String, points: &[ProgressPoint], games: f64) {
    // The first few games say next to nothing, and would set the scale.
    let settled = points.len() / 10;
    let shown = points[settled..].iter();
    let panel = Panel::new(
        MARGIN,
        games,
        shown
            .flat_map(|point| [point.elo - point.error, point.elo + point.error])
            .chain([0.0]),
    );
    panel.frame(svg, "Elo, with its 95 % interval");
    let upper = points
        .iter()
        .map(|point| (point.games as f64, point.elo + point.error));
    let lower = points
        .iter()
        .rev()
        .map(|point| (point.games as f64, point.elo - point.error));
    let band: String = upper
        .chain(lower)
        .map(|(games, value)| panel.point(games, value))
        .collect();
    // Writing to a String cannot fail, here and below.
    let _ = writeln!(
        svg,
        "<polygon points=\"{}\" fill=\"lightsteelblue\" fill-opacity=\"0.6\"/>",
        band.trim_end()
    );
    panel.level(svg, 0.0, "gray");
    let line: Vec<(f64, f64)> = points
        .iter()
        .map(|point| (point.games as f64, point.elo))
        .collect();
    panel.line(svg, &line, "steelblue");
}

/// One diagram: a range of games across, a range of values up.
struct Panel {
    top: f64,
    games: f64,
    low: f64,
    high: f64,
}

impl Panel {
    fn new(top: f64, games: f64, values: impl Iterator<Item = f64>) -> Panel {
        let (mut low, mut high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        if high - low < 1e-9 {
            (low, high) = (low - 1.0, high + 1.0);
        }
        let slack = 0.05 * (high - low);
        Panel {
            top,
            games: games.max(1.0),
            low: low - slack,
            high: high + slack,
        }
    }

    fn x(&self, games: f64) -> f64 {
        MARGIN + (WIDTH - 2.0 * MARGIN) * games / self.games
    }

    fn y(&self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low);
        self.top + PANEL * (1.0 - share.clamp(0.0, 1.0))
    }

    fn point(&self, games: f64, value: f64) -> String {
        format!("{:.1},{:.1} ", self.x(games), self.y(value))
    }

    fn frame(&self, svg: &mut String, name: &str) {
        let (left, width) = (MARGIN, WIDTH - 2.0 * MARGIN);
        let (top, bottom) = (self.top, self.top + PANEL);
        let _ = writeln!(
            svg,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{PANEL}\" fill=\"none\" stroke=\"black\"/>\n\
             <text x=\"{}\" y=\"{}\">{}</text>",
            left,
            top - 8.0,
            escape(name, TITLE_MAX)
        );
        for step in ticks(self.low, self.high) {
            let y = self.y(step);
            let _ = writeln!(
                svg,
                "<line x1=\"{}\" y1=\"{y:.1}\" x2=\"{left}\" y2=\"{y:.1}\" stroke=\"black\"/>\n\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                left - 5.0,
                left - 8.0,
                y + 4.0,
                label(step)
            );
        }
        for step in ticks(0.0, self.games) {
            let x = self.x(step);
            let _ = writeln!(
                svg,
                "<line x1=\"{x:.1}\" y1=\"{bottom}\" x2=\"{x:.1}\" y2=\"{}\" stroke=\"black\"/>\n\
                 <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                bottom + 5.0,
                bottom + 18.0,
                label(step)
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">games</text>",
            left + width,
            bottom + 34.0
        );
    }

    fn level(&self, svg: &mut String, value: f64, color: &str) {
        let y = self.y(value);
        let _ = writeln!(
            svg,
            "<line x1=\"{MARGIN}\" y1=\"{y:.1}\" x2=\"{}\" y2=\"{y:.1}\" stroke=\"{color}\" stroke-dasharray=\"6 4\"/>",
            WIDTH - MARGIN
        );
    }

    fn line(&self, svg: &mut String, points: &[(f64, f64)], color: &str) {
        let points: String = points
            .iter()
            .map(|&(games, value)| self.point(games, value))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"/>",
            points.trim_end()
        );
    }
}

/// Round numbers that cut a range into four to ten parts.
pub(super) fn ticks(low: f64, high: f64) -> Vec<f64> {
    let raw = (high - low) / 5.0;
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| *step >= raw)
        .unwrap_or(10.0 * power);
    let first = (low / step).ceil() as i64;
    (first..first + 12)
        .map(|index| index as f64 * step)
        .take_while(|value| *value <= high)
        .collect()
}

pub(super) fn label(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A text of a picture, cut where it would leave its place, which has room for so many letters.
pub(super) fn escape(text: &str, room: usize) -> String {
    let text = if text.chars().count() > room {
        let kept: String = text.chars().take(room.saturating_sub(3)).collect();
        format!("{}...", kept.trim_end())
    } else {
        text.to_owned()
    };
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_keep_to_their_place_and_form() {
        assert_eq!(escape("a<b>&c", 6), "a&lt;b&gt;&amp;c");
        assert_eq!(escape("a name & more", 10), "a name...");
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(0.0, 100.0), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        for (low, high) in [(-1.0, 1.0), (0.0, 3.0), (-812.0, 77.0), (-2.94, 2.94)] {
            let ticks = ticks(low, high);
            assert!((2..=11).contains(&ticks.len()), "{ticks:?}");
        }
    }
}
