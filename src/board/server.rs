//! The server: finds the engines, listens, guards the door, and gives each page a session.

use std::{
    io::Write,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use axum::{
    Router,
    extract::{Request, State, WebSocketUpgrade},
    http::{HeaderMap, Method, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::get,
};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    sync::{Semaphore, watch},
};

use super::{
    args::BoardArgs,
    ask::MESSAGE_MAX,
    assets::ASSETS,
    guard::{Door, Guard, HEADERS},
    session,
};
use crate::matches::{
    config::{EngineConfig, Mode},
    process::{Control, LagMeter, ProcessGroups, Surroundings},
    time_control::ThinkLimit,
};

/// How many pages may be connected at once.
pub const SESSIONS_MAX: usize = 16;
/// How many engine processes may run at once.
pub const PROCESSES_MAX: usize = 16;
/// How many hints may be looked for at once: threads remain for everything else.
const HINTS_MAX: usize = 2;
/// How many bytes an engine may write between two lines we take note of.
const TRAFFIC_MAX: u64 = 64 << 20;

/// What all sessions share.
pub struct Shared {
    /// The engines to choose from.
    pub engines: Vec<EngineConfig>,
    /// The matches named to watch; without any they are looked for.
    pub watch: Vec<PathBuf>,
    /// A place for each page.
    pub sessions: Arc<Semaphore>,
    /// A place for each engine process.
    pub processes: Arc<Semaphore>,
    /// A place for each hint that is looked for.
    pub hints: Arc<Semaphore>,
    /// What engine processes need.
    pub surroundings: Surroundings,
    guard: Guard,
    /// Kept, since its end would end the engines.
    _control: watch::Sender<Control>,
}

fn engine(path: &Path) -> Result<EngineConfig> {
    let command = if path.components().count() > 1 {
        path.to_owned()
    } else {
        std::env::var_os("PATH")
            .iter()
            .flat_map(std::env::split_paths)
            .map(|folder| folder.join(path))
            .find(|candidate| candidate.is_file())
            .with_context(|| {
                format!(
                    "no engine '{}' in PATH: expected a program there, or a path with a slash",
                    path.display()
                )
            })?
    };
    if !command.is_file() {
        bail!(
            "no engine at {}: expected a program that speaks protocol.md",
            command.display()
        );
    }
    Ok(EngineConfig {
        name: path
            .file_name()
            .unwrap_or(path.as_os_str())
            .to_string_lossy()
            .into_owned(),
        command,
        args: Vec::new(),
        dir: None,
        mode: Mode::Series,
        restart: false,
        margin: 0,
        limit: ThinkLimit::default(),
        env: Vec::new(),
        options: Vec::new(),
    })
}

/// The daemon beside this program, or else in `PATH`.
fn own_engine() -> Result<EngineConfig> {
    let here = std::env::current_exe().context("cannot tell where this program is")?;
    let beside = here.with_file_name(format!("seriatim{}", std::env::consts::EXE_SUFFIX));
    engine(&beside)
        .or_else(|_| engine(Path::new("seriatim")))
        .with_context(|| {
            format!(
                "the engine is not beside this program ({}); build it, or name one with --engine",
                beside.display()
            )
        })
}

fn engines(args: &BoardArgs) -> Result<Vec<EngineConfig>> {
    let mut engines = if args.engines.is_empty() {
        vec![own_engine()?]
    } else {
        args.engines
            .iter()
            .map(|path| engine(path))
            .collect::<Result<Vec<_>>>()?
    };
    for index in 1..engines.len() {
        if engines[..index]
            .iter()
            .any(|other| other.name == engines[index].name)
        {
            engines[index].name = engines[index].command.display().to_string();
        }
    }
    Ok(engines)
}

/// Serves the page until a signal asks to stop.
///
/// # Errors
/// If an engine is missing or the address cannot be listened at.
pub fn serve(args: &BoardArgs, out: &mut dyn Write) -> Result<()> {
    let engines = engines(args)?;
    // One thread: engines die with the thread that started them, and there is little to do here.
    // What takes time (the solver, long games) runs on threads of its own.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(4)
        .build()?;
    runtime.block_on(run(args, engines, out))
}

async fn run(args: &BoardArgs, engines: Vec<EngineConfig>, out: &mut dyn Write) -> Result<()> {
    let wanted = SocketAddr::new(args.bind, args.port);
    let listener = TcpListener::bind(wanted).await.with_context(|| {
        format!("cannot listen at {wanted}; another port is chosen with --port, any free one with --port 0")
    })?;
    let address = listener.local_addr()?;
    let (control, seen) = watch::channel(Control::Play);
    let shared = Arc::new(Shared {
        engines,
        watch: args.watch.clone(),
        sessions: Arc::new(Semaphore::new(SESSIONS_MAX)),
        processes: Arc::new(Semaphore::new(PROCESSES_MAX)),
        hints: Arc::new(Semaphore::new(HINTS_MAX)),
        surroundings: Surroundings {
            groups: ProcessGroups::default(),
            control: seen,
            meter: Arc::new(LagMeter::for_this_thread()),
            traffic_limit: TRAFFIC_MAX,
        },
        guard: Guard::new(address, &args.hosts),
        _control: control,
    });
    let url = url(address);
    writeln!(out, "The board is at {url} (Ctrl-C ends it)")?;
    out.flush()?;
    if args.open {
        open(&url);
    }
    let mut terminate = signal(SignalKind::terminate()).context("cannot listen to signals")?;
    tokio::select! {
        served = axum::serve(listener, router(shared)) => served.context("serving the page"),
        interrupted = tokio::signal::ctrl_c() => interrupted.context("cannot listen to signals"),
        _ = terminate.recv() => Ok(()),
    }
}

/// The address to type into a browser.
fn url(address: SocketAddr) -> String {
    if address.ip().is_unspecified() {
        format!("http://localhost:{}/", address.port())
    } else {
        format!("http://{address}/")
    }
}

/// Opens the page; where that fails the printed address is there.
fn open(url: &str) {
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let started = std::process::Command::new(opener)
        .arg(url)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
    if let Err(error) = started {
        tracing::warn!("cannot open the browser ({opener}: {error}): open {url} by hand");
    }
}

fn router(shared: Arc<Shared>) -> Router {
    let mut router = Router::new().route("/socket", get(socket));
    for asset in &ASSETS {
        let answer = || async { ([(header::CONTENT_TYPE, asset.kind)], asset.bytes) };
        router = router.route(asset.path, get(answer));
    }
    router
        .fallback(|| async { (StatusCode::NOT_FOUND, "no such page") })
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guard))
        .with_state(shared)
}

/// Every request passes here, and every answer gets its headers.
async fn guard(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let door = if request.uri().path() == "/socket" {
        Door::Socket
    } else {
        Door::Files
    };
    let mut response = match shared.guard.check(request.headers(), door) {
        Err(refused) => (StatusCode::FORBIDDEN, refused.to_string()).into_response(),
        Ok(()) if request.method() != Method::GET && request.method() != Method::HEAD => {
            (StatusCode::METHOD_NOT_ALLOWED, "expected GET").into_response()
        }
        Ok(()) => next.run(request).await,
    };
    let headers: &mut HeaderMap = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, value);
    }
    response
}

async fn socket(State(shared): State<Arc<Shared>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade
        // A message that is a little too long gets an answer, a huge one the end.
        .max_message_size(2 * MESSAGE_MAX)
        .max_frame_size(2 * MESSAGE_MAX)
        .on_upgrade(move |socket| session::run(socket, shared))
}
