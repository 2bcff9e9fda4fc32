//! What an engine wrote, fit for a line of a report.

/// How many characters of a text are kept: enough for the longest series of a real game.
const EXCERPT_MAX: usize = 1000;

/// The beginning of `text`, without what would do something to a terminal. So a mebibyte of junk
/// does not fill journals and screens, and no engine clears the screen.
pub(super) fn excerpt(text: &str) -> String {
    let visible = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut excerpt: String = text.chars().take(EXCERPT_MAX).map(visible).collect();
    // No character is shorter than a byte.
    if text.len() > EXCERPT_MAX && text.chars().nth(EXCERPT_MAX).is_some() {
        excerpt.push_str("...");
    }
    excerpt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_long_or_dangerous_is_changed() {
        assert_eq!(excerpt("e2e4 é \\ }"), "e2e4 é \\ }");
        assert_eq!(excerpt("\u{1b}[2Jx\0\u{7}"), "\u{fffd}[2Jx\u{fffd}\u{fffd}");
        let longest = "é".repeat(EXCERPT_MAX);
        assert_eq!(excerpt(&longest), longest);
        assert_eq!(excerpt(&format!("{longest}e")), format!("{longest}..."));
    }
}
