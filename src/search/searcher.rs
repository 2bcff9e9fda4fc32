//! A searcher: what stays from search to search, and the way in.

use super::{
    control::Control,
    generator::Style,
    level::Level,
    look::Worker,
    memory::memory,
    reference::{Player, Reference},
    request::{Answer, Listener, Request, Settings, Signals},
    root::Root,
    skill::Weakness,
    table::Table,
    telling::Telling,
};
use crate::eval::Terms;

/// With so many nodes and more the handmade worth chooses better than the network that learned from
/// games of little effort (`docs/strength.md`).
const HANDMADE_EFFORT: u64 = 120_000;

/// A searcher: what stays from search to search.
#[derive(Debug)]
pub struct Searcher {
    settings: Settings,
    workers: Vec<Worker>,
    table: Table,
    /// By what the positions in the table were judged.
    terms: Terms,
}

impl Searcher {
    /// A searcher with empty memory.
    pub fn new(settings: Settings) -> Searcher {
        let (workers, table) = memory(settings);
        Searcher {
            settings,
            workers,
            table,
            terms: Terms::All,
        }
    }

    /// Changes the settings; memory may be lost.
    pub fn configure(&mut self, settings: Settings) {
        let takes_other_memory = (settings.hash_mib, settings.threads)
            != (self.settings.hash_mib, self.settings.threads);
        if takes_other_memory {
            // The old memory goes before the new comes: never are both there.
            self.workers = Vec::new();
            self.table = Table::new(0);
            *self = Searcher::new(settings);
        } else if settings != self.settings {
            self.settings = settings;
            self.clear();
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
        listener: &mut Listener<'_>,
    ) -> Answer {
        let Settings {
            level, skill, seed, ..
        } = self.settings;
        let reference = match level {
            Level::OneSeries => Some(Reference::OneSeries),
            Level::TwoSeries => Some(Reference::TwoSeries),
            _ => None,
        };
        let weakness = Weakness::of(skill, seed).filter(|_| reference.is_none());
        let limits = weakness.map_or(request.limits, |weakness| weakness.limit(request.limits));
        if limits.nodes.is_some() {
            // Remembering would make the answer depend on what was asked before.
            self.clear();
        }
        let mut control = Control::new(request, limits, signals);
        if reference.is_none() {
            control.pace();
        }
        let telling = Telling::new(listener);
        if let (Some(kind), Some(worker)) = (reference, self.workers.first_mut()) {
            let player = Player {
                kind,
                worker,
                table: &self.table,
                control: &control,
            };
            return player.play(request, &telling);
        }
        let terms = match level {
            Level::WithoutEvaluation => Terms::Material,
            Level::WithoutNetworks => Terms::Handmade,
            _ if control.effort() >= HANDMADE_EFFORT => Terms::DangerAndHandmade,
            _ => Terms::All,
        };
        if terms != self.terms {
            // What is remembered was judged otherwise.
            self.table.clear();
            self.terms = terms;
        }
        let style = Style {
            by_safety: level != Level::WithoutSafetyOrder,
            terms,
        };
        for worker in &mut self.workers {
            worker.generator.set_style(style);
        }
        let table = &self.table;
        let root = Root::new(request, &control, table, level, terms, weakness, &telling);
        root.run(&mut self.workers)
    }
}
