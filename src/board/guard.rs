//! Who may come in: only pages that this server served itself.
//!
//! A browser sends any page's requests to loopback, so being there proves nothing. The `Host` must
//! be one of ours (else a foreign name was pointed at us, DNS rebinding), and an `Origin` must be
//! that host (else a foreign page asks). The WebSocket, to which browsers always send an `Origin`,
//! takes nothing without one.

use std::net::SocketAddr;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// The names this server goes by.
#[derive(Clone, Debug)]
pub struct Guard {
    hosts: Vec<String>,
    /// Bound to every address: then any address is one of ours.
    any_address: bool,
    port: u16,
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The `Host` is not ours.
    #[error("this server does not go by that name (header Host)")]
    Host,
    /// The `Origin` is not ours, or missing.
    #[error("this page was not served by this server (header Origin)")]
    Origin,
}

/// Which requests need an `Origin`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// Files: an `Origin` may be missing.
    Files,
    /// The WebSocket: it may not.
    Socket,
}

impl Guard {
    /// A guard for a server at `address`, with further names given by the user.
    pub fn new(address: SocketAddr, names: &[String]) -> Guard {
        let port = address.port();
        let mut hosts: Vec<String> = names
            .iter()
            .map(|name| format!("{}:{port}", name.to_ascii_lowercase()))
            .collect();
        hosts.push(address.to_string());
        if address.ip().is_loopback() || address.ip().is_unspecified() {
            hosts.extend(["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}")));
        }
        Guard {
            hosts,
            any_address: address.ip().is_unspecified(),
            port,
        }
    }

    fn is_ours(&self, host: &str) -> bool {
        let mut host = host.to_ascii_lowercase();
        // Browsers leave the usual port out; colons inside brackets are an address's own.
        if self.port == 80 && !host.rsplit(']').next().is_some_and(|end| end.contains(':')) {
            host.push_str(":80");
        }
        // A name can be pointed anywhere, an address can't.
        let is_address = host
            .parse::<SocketAddr>()
            .is_ok_and(|address| address.port() == self.port);
        self.hosts.contains(&host) || (self.any_address && is_address)
    }

    /// Judges a request by its headers.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn check(&self, headers: &HeaderMap, door: Door) -> Result<(), Refused> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = match (hosts.next(), hosts.next()) {
            (Some(host), None) => host.to_str().map_err(|_| Refused::Host)?,
            _ => return Err(Refused::Host),
        };
        if !self.is_ours(host) {
            return Err(Refused::Host);
        }
        let mut origins = headers.get_all(header::ORIGIN).iter();
        match (origins.next(), origins.next()) {
            (None, _) if door == Door::Files => Ok(()),
            (Some(origin), None)
                if origin
                    .to_str()
                    .is_ok_and(|origin| origin.eq_ignore_ascii_case(&format!("http://{host}"))) =>
            {
                Ok(())
            }
            _ => Err(Refused::Origin),
        }
    }
}

/// Headers of every answer: nothing but our own files, in nobody's frame.
pub const HEADERS: [(HeaderName, HeaderValue); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self'; style-src 'self'; \
             style-src-attr 'unsafe-inline'; img-src 'self' data:; \
             connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'none'",
        ),
    ),
    (
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    ),
    (
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    ),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(guard: &Guard, door: Door, pairs: &[(HeaderName, &str)]) -> Result<(), Refused> {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(name, HeaderValue::from_str(value).unwrap());
        }
        guard.check(&headers, door)
    }

    #[test]
    fn only_our_own_pages_come_in() {
        let guard = Guard::new("127.0.0.1:4242".parse().unwrap(), &[]);
        let socket = |host: &str, origin: &str| {
            let pairs = [(header::HOST, host), (header::ORIGIN, origin)];
            check(&guard, Door::Socket, &pairs)
        };
        for host in [
            "127.0.0.1:4242",
            "localhost:4242",
            "LOCALHOST:4242",
            "[::1]:4242",
        ] {
            assert_eq!(socket(host, &format!("http://{host}")), Ok(()), "{host}");
        }
        for host in [
            "evil.example:4242",
            "127.0.0.1",
            "localhost:80",
            "localhost.evil:4242",
            "",
        ] {
            assert_eq!(
                socket(host, &format!("http://{host}")),
                Err(Refused::Host),
                "{host}"
            );
        }
        for origin in [
            "http://evil.example",
            "null",
            "",
            "https://localhost:4242",
            "http://127.0.0.1:4242",
        ] {
            assert_eq!(
                socket("localhost:4242", origin),
                Err(Refused::Origin),
                "{origin}"
            );
        }
        let host = (header::HOST, "localhost:4242");
        assert_eq!(
            check(&guard, Door::Socket, std::slice::from_ref(&host)),
            Err(Refused::Origin)
        );
        assert_eq!(
            check(&guard, Door::Files, std::slice::from_ref(&host)),
            Ok(())
        );
        assert_eq!(check(&guard, Door::Files, &[]), Err(Refused::Host));
        assert_eq!(
            check(&guard, Door::Files, &[host.clone(), host]),
            Err(Refused::Host)
        );
    }

    #[test]
    fn every_address_is_ours_when_bound_to_all_but_names_have_to_be_given() {
        let guard = Guard::new("0.0.0.0:4242".parse().unwrap(), &["den".to_owned()]);
        let files = |host: &str| check(&guard, Door::Files, &[(header::HOST, host)]);
        assert_eq!(files("192.168.0.7:4242"), Ok(()));
        assert_eq!(files("den:4242"), Ok(()));
        assert_eq!(files("192.168.0.7:80"), Err(Refused::Host));
        assert_eq!(files("evil.example:4242"), Err(Refused::Host));
    }
}
