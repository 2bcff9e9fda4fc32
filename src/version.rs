//! Which program this is: name, version and commit. Every binary and the handshake show it.

/// The program's name.
pub const NAME: &str = "Seriatim";

/// Version and commit, such as `0.1.0 (1a2b3c4d5e)`; `nogit` stands for an unknown commit.
pub const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (",
    env!("SERIATIM_GIT_HASH"),
    ")"
);
