//! Tables for spreadsheets: pairings, engines, games.

use super::super::{config::MatchConfig, record::GameRecord};
use super::summary::Summary;

/// One field, quoted where it has to be (RFC 4180).
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn row(fields: &[String]) -> String {
    let mut line = fields
        .iter()
        .map(|text| field(text))
        .collect::<Vec<_>>()
        .join(",");
    line.push('\n');
    line
}

fn optional(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// One row for every two engines that met, and for each variant of them.
pub fn pairings(summary: &Summary) -> String {
    let mut text = "variant,first,second,games,wins,draws,losses,ll,ld,dd,wd,ww,score,elo,elo_error,nelo,nelo_error,los,draw_ratio,pair_ratio\n".to_owned();
    for pairing in summary.pairings.iter().chain(&summary.variants) {
        let games = pairing.games;
        let estimate = pairing.estimate;
        let mut fields = vec![
            pairing.variant.clone().unwrap_or_else(|| "all".to_owned()),
            pairing.first.clone(),
            pairing.second.clone(),
            games.games().to_string(),
            games.wins.to_string(),
            games.draws.to_string(),
            games.losses.to_string(),
        ];
        fields.extend(pairing.pairs.map(|count| count.to_string()));
        fields.extend([
            optional(estimate.map(|estimate| estimate.score)),
            optional(estimate.map(|estimate| estimate.elo)),
            optional(estimate.map(|estimate| estimate.error)),
            optional(estimate.and_then(|estimate| estimate.nelo)),
            optional(estimate.and_then(|estimate| estimate.nelo_error)),
            optional(estimate.map(|estimate| estimate.los)),
            optional(estimate.map(|estimate| estimate.draw_ratio)),
            optional(estimate.and_then(|estimate| estimate.pair_ratio)),
        ]);
        text.push_str(&row(&fields));
    }
    text
}

/// One row for each engine.
pub fn engines(summary: &Summary) -> String {
    let mut text = "engine,games,wins,draws,losses,rating,rating_error,ms_per_series,depth,nodes,nps,lag_ms,max_lag_ms,time_losses,faults\n".to_owned();
    for engine in &summary.engines {
        let faults: u64 = engine.faults.values().sum();
        text.push_str(&row(&[
            engine.name.clone(),
            engine.games.games().to_string(),
            engine.games.wins.to_string(),
            engine.games.draws.to_string(),
            engine.games.losses.to_string(),
            optional(engine.rating),
            optional(engine.rating_error),
            optional(engine.mean_time),
            optional(engine.mean_depth),
            engine.nodes.to_string(),
            optional(engine.nps),
            optional(engine.mean_lag),
            engine.max_lag.to_string(),
            engine.time_losses.to_string(),
            faults.to_string(),
        ]));
    }
    text
}

/// The first line of the table of games.
pub const GAMES_HEADER: &str =
    "game,pair,round,variant,opening,white,black,result,end,series,white_ms,black_ms,duration_ms\n";

/// The row of one game.
pub fn game(config: &MatchConfig, record: &GameRecord) -> String {
    let names = record
        .engines
        .map(|index| config.engines[index].name.clone());
    let mut times = [0.0; 2];
    for (index, turn) in record.turns.iter().enumerate() {
        let side = record.side_of(index);
        times[side.fold_wb(0, 1)] += turn.time.unwrap_or(0.0);
    }
    let [white, black] = names;
    row(&[
        (record.game.0 + 1).to_string(),
        (record.game.pair() + 1).to_string(),
        (record.round + 1).to_string(),
        config.variants[record.variant].name(),
        record.opening.to_string(),
        white,
        black,
        record.end.result().to_owned(),
        record.end.name().to_owned(),
        record.turns.len().to_string(),
        format!("{:.3}", times[0]),
        format!("{:.3}", times[1]),
        record.duration.to_string(),
    ])
}

#[cfg(test)]
mod tests {
    use super::row;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let fields = ["a", "b,c", "d \"e\""].map(str::to_owned);
        assert_eq!(row(&fields), "a,\"b,c\",\"d \"\"e\"\"\"\n");
    }
}
