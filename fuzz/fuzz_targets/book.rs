//! Bytes are refused as a book with words, or give a book that is written and read again as itself
//! and can be asked.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seriatim::{
    book::{Book, checksum},
    rules::SeriesPosition,
};

fn look_into(bytes: &[u8]) {
    match Book::from_bytes(bytes) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(book) => {
            assert_eq!(Book::from_bytes(&book.to_bytes()).as_ref(), Ok(&book));
            let start = SeriesPosition::start(*book.rules());
            match book.probe(&start) {
                Err(error) => assert!(!error.to_string().is_empty()),
                Ok(found) => {
                    let choice = found.and_then(|found| found.choose(&start, Some(1)).cloned());
                    let _ = choice.map(|choice| {
                        choice.series.iter().fold(start, |at, &m| {
                            assert!(at.is_legal(m));
                            at.after(m)
                        })
                    });
                }
            }
            let _ = book.line(&start, 4);
        }
    }
}

fuzz_target!(|data: &[u8]| {
    look_into(data);
    // With the right checksum more of it is read.
    let mut summed = data.to_vec();
    summed.extend(checksum(data).to_le_bytes());
    look_into(&summed);
});
