use super::*;

fn tokens(text: &[u8]) -> Result<Vec<Token>, LexError> {
    let mut lexer = Lexer::new(text);
    lexer.set_rebirth(true);
    let mut tokens = Vec::new();
    loop {
        match lexer.next()? {
            (_, Token::End) => return Ok(tokens),
            (_, token) => tokens.push(token),
        }
    }
}

fn shown(text: &str) -> String {
    let tokens = tokens(text.as_bytes()).unwrap();
    tokens
        .iter()
        .map(|token| match token {
            Token::Comment(text) => format!("{{{text}}}"),
            token => token.describe(),
        })
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn movetext_is_cut_where_it_should_be() {
    for (text, expected) in [
        ("1.e4 2.e5,Nf6", "'1.' 'e4' '2.' 'e5' ',' 'Nf6'"),
        ("2... e5 2. ... Nf6", "'2...' 'e5' '2...' 'Nf6'"),
        ("1 e4", "'1' 'e4'"),
        (
            "e8/Q e8/Qd4 e8(Q)+ e4(d4)",
            "'e8/Q' 'e8' '/' 'Qd4' 'e8(Q)+' 'e4' '(' 'd4' ')'",
        ),
        ("Nxd4(Nb8)+ Nxd4(d7)", "'Nxd4(Nb8)+' 'Nxd4(d7)'"),
        ("e4! d4 !? $140", "'e4!' 'd4' glyph $5 glyph $140"),
        ("dxe3 e.p. 0-0 0-0-0+", "'dxe3' 'e.p.' '0-0' '0-0-0+'"),
        (
            "1-0 0-1 1/2-1/2 *",
            "result 1-0 result 0-1 result 1/2-1/2 result *",
        ),
        ("-- 0000 @@@@", "'--' '0000' '@@@@'"),
        ("e4{one\n  two} ;three\r\nd4", "'e4' {one two} {three} 'd4'"),
        ("e4\n%ignored e5\nd4", "'e4' 'd4'"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn rebirth_brackets_are_variations_elsewhere() {
    let mut lexer = Lexer::new(&b"Nf6(Ng8)"[..]);
    assert_eq!(lexer.next().unwrap().1, Token::Move("Nf6".to_owned()));
    assert_eq!(lexer.next().unwrap().1, Token::Open);
}

#[test]
fn places_count_lines_and_characters() {
    let mut lexer = Lexer::new("\u{feff}{é}\r\n  e4\r d4\n\n d5".as_bytes());
    let mut spots = Vec::new();
    while let (spot, Token::Comment(_) | Token::Move(_)) = lexer.next().unwrap() {
        spots.push((spot.line, spot.column));
    }
    assert_eq!(spots, [(1, 1), (2, 3), (3, 2), (5, 2)]);
}

#[test]
fn latin_1_is_a_fallback() {
    assert_eq!(
        tokens(b"{caf\xe9} [").unwrap_err().found,
        "'['",
        "a bracket in movetext"
    );
    assert_eq!(
        tokens(b"{caf\xe9}").unwrap(),
        [Token::Comment("café".to_owned())]
    );
    assert_eq!(
        tokens(b"[White \"J\xf6rg \\\"X\\\" \\\\\"]").unwrap(),
        [Token::Tag {
            name: "White".to_owned(),
            value: "Jörg \"X\" \\".to_owned()
        }]
    );
}

#[test]
fn what_is_no_token_is_an_error() {
    for text in [
        "{open",
        "}",
        "[Event \"x]\n",
        "[Event x]",
        "[Event \"a\"b\"]",
        "[\"a\"]",
        "$256",
        "$",
        "$x",
        "<x>",
        "1-1",
        "1234567890.",
        "99999999999",
        "&",
        "é4",
        "+",
        "...",
        "\"",
    ] {
        assert!(tokens(text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn skipping_stops_where_the_next_game_starts() {
    let rest = |text: &str, in_moves| {
        let mut lexer = Lexer::new(text.as_bytes());
        lexer.skip_game(in_moves);
        lexer.next().unwrap().1.describe()
    };
    assert_eq!(rest("x y\n[White \"a\"]", false), "tag [White ...]");
    assert_eq!(rest("[White \"a]\n\n1.e4 *\n3.e4", false), "'3.'");
    assert_eq!(rest("e4 {* [x\n} d4 *", true), "the end of the text");
    assert_eq!(rest("e4 {open\n\n[Event \"b\"]", true), "tag [Event ...]");
}
