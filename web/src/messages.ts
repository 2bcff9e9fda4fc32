// The messages of the WebSocket, as src/board/ask.rs and src/board/reply.rs define them.

export type Side = 'white' | 'black';
export type Seat = Side | 'analysis';

/** A game as data: all that the server needs to know it. */
export interface GameText {
  rules: string;
  start: string;
  moves: string[];
}

export interface TreeMove {
  parent: number | null;
  uci: string;
  comments: string[];
  glyphs: number[];
}

export interface Clocks {
  white: number;
  black: number;
  increment: number;
}

export type Ask =
  | { hello: Record<string, never> }
  | { view: { game: GameText } }
  | { read: { game: GameText; text: string } }
  | { play: { game: GameText; seat: Seat; engine: number; level: number; seed: number; clocks: Clocks | null } }
  | {
      analyse: {
        game: GameText;
        engine: number;
        lines: number;
        threat: boolean;
        time: number | null;
      };
    }
  | { stop: { seat: Seat } }
  | { 'move-now': { seat: Seat } }
  | { import: { pgn: string; rules: string } }
  | {
      export: {
        rules: string;
        start: string;
        tags: [string, string][];
        comments: string[];
        moves: TreeMove[];
        result: string;
        form: 'series' | 'null-moves';
      };
    }
  | { problems: Record<string, never> }
  | { hint: { game: GameText } }
  | { watch: { source: string } }
  | { unwatch: Record<string, never> };

export interface Preset {
  name: string;
  summary: string;
  values: Record<string, string>;
}

export interface Switch {
  name: string;
  values: string[] | null;
}

export interface Hello {
  program: string;
  presets: Preset[];
  switches: Switch[];
  engines: string[];
  levels: string[];
  matches: string[];
}

export interface MoveView {
  uci: string;
  san: string;
  from: string;
  to: string;
  board: string;
  check: string | null;
}

export interface TurnView {
  turn: number;
  side: Side;
  length: number;
  moves: MoveView[];
  complete: boolean;
}

export interface Over {
  result: string;
  winner: Side | null;
  reason: string;
  text: string;
}

export interface View {
  rules: string;
  start: string;
  fen: string;
  side: Side;
  turn: number;
  length: number;
  left: number;
  nextLength: number;
  checks: 'last' | 'ends' | 'none';
  check: string | null;
  turns: TurnView[];
  targets: Record<string, string[]>;
  promotions: Record<string, string[]>;
  refused: Record<string, Record<string, string>>;
  over: Over | null;
  quiet: [number, number];
}

export interface Lines {
  rank: number;
  depth: number;
  score: string;
  value: number;
  wins: boolean;
  nodes: number;
  nps: number;
  time: number;
  turns: TurnView[];
  board: string;
}

export interface Sheet {
  tags: [string, string][];
  rules: string;
  start: string;
  comments: string[];
  moves: (TreeMove & { san: string; turn: number })[];
  result: string;
}

export interface Problem {
  id: string;
  rules: string;
  fen: string;
  length: number;
  side: Side;
}

export interface Trinomial {
  wins: number;
  draws: number;
  losses: number;
}

export interface EngineSummary {
  name: string;
  games: Trinomial;
  score: number | null;
  rating: number | null;
  'rating-error': number | null;
  'mean-time': number | null;
  'mean-depth': number | null;
  nps: number | null;
  'time-losses': number;
  faults: Record<string, number>;
}

export interface PairingSummary {
  variant: string | null;
  first: string;
  second: string;
  games: Trinomial;
  pairs: number[];
  estimate: { elo: number; error: number; los: number | null } | null;
}

export interface Sprt {
  elo0: number;
  elo1: number;
  model: string;
  assessment: { llr: number; lower: number; upper: number; decision: string } | null;
}

export interface WatchedGame {
  number: number;
  white: string;
  black: string;
  rules: string;
  start: string;
  turns: TurnView[];
  result: string;
  text: string;
}

export interface MatchView {
  name: string;
  summary: {
    games: number;
    'games-planned': number;
    engines: EngineSummary[];
    pairings: PairingSummary[];
    variants: PairingSummary[];
    sprt: Sprt | null;
    ends: { end: string; games: number }[];
  };
  progress: [number, number, number, number | null][];
  games: WatchedGame[];
}

export type Reply =
  | ({ is: 'hello' } & Hello)
  | ({ is: 'view' } & View)
  | { is: 'read'; moves: string[]; text: string }
  | ({ is: 'lines' } & Lines)
  | { is: 'played'; moves: string[]; time: number }
  | { is: 'stopped' }
  | { is: 'imported'; games: Sheet[]; errors: string[] }
  | { is: 'exported'; pgn: string }
  | { is: 'problems'; problems: Problem[] }
  | { is: 'hint'; moves: MoveView[]; text: string }
  | ({ is: 'match' } & MatchView)
  | { is: 'notice'; text: string }
  | { is: 'error'; text: string };

export type ReplyOf<Is extends Reply['is']> = Extract<Reply, { is: Is }>;
