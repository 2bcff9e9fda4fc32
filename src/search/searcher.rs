//! A searcher: what stays from search to search, and the way in.

use super::{
    control::Control,
    generator::Style,
    level::Level,
    look::Worker,
    quick::quick_series,
    reference::{Player, Reference},
    request::{Answer, Report, Request, Settings, Signals},
    root::Root,
    table::Table,
};
use crate::eval::Terms;

/// A searcher: what stays from search to search.
#[derive(Debug)]
pub struct Searcher {
    settings: Settings,
    workers: Vec<Worker>,
    table: Table,
}

/// The memory in MiB divides into this many parts: one for the table of positions, the others
/// for the threads' solvers and generators.
const PARTS: usize = 4;

fn memory(settings: Settings) -> (Vec<Worker>, Table) {
    let mib = settings.hash_mib.max(1) as usize;
    let threads = usize::from(settings.threads.max(1));
    let part = (mib << 20) / PARTS;
    let solver_mib = (mib / 2 / threads).max(1);
    let workers = (0..threads)
        .map(|_| Worker::new(part / 2 / threads, solver_mib))
        .collect();
    (workers, Table::new(part))
}

impl Searcher {
    /// A searcher with empty memory.
    pub fn new(settings: Settings) -> Searcher {
        let (workers, table) = memory(settings);
        Searcher {
            settings,
            workers,
            table,
        }
    }

    /// Changes the settings; memory may be lost.
    pub fn configure(&mut self, settings: Settings) {
        if settings != self.settings {
            *self = Searcher::new(settings);
        }
    }

    /// The settings.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Forgets everything, as for another game.
    pub fn clear(&mut self) {
        self.table.clear();
        for worker in &mut self.workers {
            worker.clear();
        }
    }

    /// Looks for the best series. Returns when a limit is reached, when it is stopped, or when it
    /// sees no use in going on; the answer's first line begins with a whole legal series.
    ///
    /// At fixed nodes with one thread it always gives the same answer.
    pub fn search(
        &mut self,
        request: &Request,
        signals: &Signals,
        report: &mut dyn FnMut(&Report),
    ) -> Answer {
        if request.limits.nodes.is_some() {
            // Remembering would make the answer depend on what was asked before.
            self.clear();
        }
        let control = Control::new(request, signals);
        let reference = match self.settings.level {
            Level::OneSeries => Some(Reference::OneSeries),
            Level::TwoSeries => Some(Reference::TwoSeries),
            _ => None,
        };
        if let (Some(kind), Some(worker)) = (reference, self.workers.first_mut()) {
            let player = Player {
                kind,
                worker,
                table: &self.table,
                control: &control,
            };
            return player.play(request, report);
        }
        let style = Style {
            by_safety: self.settings.level != Level::WithoutSafetyOrder,
            terms: if self.settings.level == Level::WithoutEvaluation {
                Terms::Material
            } else {
                Terms::All
            },
        };
        for worker in &mut self.workers {
            worker.generator.set_style(style);
        }
        let quick = quick_series(request.game.position(), &request.first_moves);
        Root::new(request, &control, &self.table, self.settings.level, report)
            .run(&mut self.workers, &quick)
    }
}
