//! The page: built from `web/` by `scripts/web`, embedded here.

/// A file of the page.
pub struct Asset {
    /// Its path on the server.
    pub path: &'static str,
    /// Its media type.
    pub kind: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
}

/// The files.
pub const ASSETS: [Asset; 4] = [
    Asset {
        path: "/",
        kind: "text/html; charset=utf-8",
        bytes: include_bytes!("../../web/dist/index.html"),
    },
    Asset {
        path: "/board.js",
        kind: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../../web/dist/board.js"),
    },
    Asset {
        path: "/board.css",
        kind: "text/css; charset=utf-8",
        bytes: include_bytes!("../../web/dist/board.css"),
    },
    Asset {
        path: "/icon.svg",
        kind: "image/svg+xml",
        bytes: include_bytes!("../../web/dist/icon.svg"),
    },
];
