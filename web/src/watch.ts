// Watching a match: its table, its course, and its latest games on boards.

import { MiniBoard } from './board.js';
import { button, fill, h, select, words } from './dom.js';
import type { Link } from './link.js';
import type { GameText, MatchView, Trinomial, WatchedGame } from './messages.js';
import { flat } from './series.js';

const STEP_TIME = 600;

interface Shown {
  game: WatchedGame;
  board: MiniBoard;
  element: HTMLElement;
  moves: HTMLElement;
  at: number;
}

export class WatchPage {
  readonly element: HTMLElement;
  private source: string | null = null;
  private stop: (() => void) | null = null;
  private boards: Shown[] = [];
  private visible = false;
  private clock: ReturnType<typeof setInterval> | null = null;

  private readonly chooser = h('div', {});
  private readonly message = h('p', { class: 'hint', role: 'status' });
  private readonly head = h('p', { class: 'match-head', role: 'status' });
  private readonly table = h('div', { class: 'tables' });
  private readonly plot = h('div', { class: 'plots' });
  private readonly games = h('div', { class: 'minis' });

  constructor(
    private readonly link: Link,
    private readonly onAnalyse: (game: GameText) => void,
  ) {
    this.element = h(
      'section',
      { class: 'watch', 'aria-label': 'Watch' },
      h('div', { class: 'panel' }, this.chooser, this.message, this.head, this.table, this.plot),
      this.games,
    );
  }

  show(visible: boolean, query: URLSearchParams): void {
    this.visible = visible;
    if (this.clock) clearInterval(this.clock);
    this.clock = null;
    if (!visible) {
      this.stop?.();
      this.stop = null;
      this.link.tell({ unwatch: {} });
      return;
    }
    this.source = query.get('match') ?? this.source;
    void this.choose();
    this.clock = setInterval(() => this.step(), STEP_TIME);
  }

  online(): void {
    if (this.visible) void this.choose();
  }

  onKey(): boolean {
    return false;
  }

  /** Asks which matches there are, and follows one. */
  private async choose(): Promise<void> {
    let matches: string[] = [];
    try {
      ({ matches } = await this.link.ask('hello', { hello: {} }));
    } catch (error) {
      this.message.textContent = words(error);
      return;
    }
    if (!this.visible) return;
    const [first] = matches;
    if (first === undefined) {
      fill(this.chooser);
      fill(
        this.message,
        'There is no match to watch. Start the board where ',
        h('code', {}, 'seriatim-match'),
        ' writes its matches, or name one: ',
        h('code', {}, 'seriatim-board --watch my-match'),
      );
      return;
    }
    if (this.source === null || !matches.includes(this.source)) this.source = first;
    const names = matches.map((name): [string, string] => [name, name]);
    fill(this.chooser, select('Match', names, this.source, name => this.follow(name)).row);
    this.follow(this.source);
  }

  private follow(source: string): void {
    this.source = source;
    this.stop?.();
    this.message.textContent = 'One moment …';
    this.stop = this.link.listen({ watch: { source } }, reply => {
      if (reply.is === 'match') this.take(reply);
      else if (reply.is === 'error') this.message.textContent = `${reply.text}; waiting for it`;
    });
  }

  private take(match: MatchView): void {
    const { summary } = match;
    this.message.textContent = '';
    this.head.textContent = `${summary.games} of ${summary['games-planned']} games`;
    fill(
      this.table,
      h(
        'table',
        {},
        h('caption', {}, 'Engines'),
        row('th', ['engine', 'games', 'score', 'result', 'time a series', 'depth', 'faults']),
        ...summary.engines.map(engine =>
          row('td', [
            engine.name,
            String(total(engine.games)),
            engine.score === null ? '–' : `${(100 * engine.score).toFixed(1)} %`,
            result(engine.games),
            engine['mean-time'] === null ? '–' : `${engine['mean-time'].toFixed(0)} ms`,
            engine['mean-depth'] === null ? '–' : engine['mean-depth'].toFixed(1),
            String(Object.values(engine.faults).reduce((sum, count) => sum + count, 0)),
          ]),
        ),
      ),
      h(
        'table',
        {},
        h('caption', {}, 'Pairings'),
        row('th', ['first', 'second', 'games', 'result', 'Elo', '+-', 'pairs 0, ½, 1, 1½, 2']),
        ...[...summary.pairings, ...summary.variants].map(pairing =>
          row('td', [
            pairing.variant ? `${pairing.first} (${pairing.variant})` : pairing.first,
            pairing.second,
            String(total(pairing.games)),
            result(pairing.games),
            pairing.estimate ? signed(pairing.estimate.elo) : '–',
            pairing.estimate ? pairing.estimate.error.toFixed(1) : '–',
            pairing.pairs.join(', '),
          ]),
        ),
      ),
      summary.ends.length > 0 &&
        h('p', { class: 'hint' }, summary.ends.map(({ end, games }) => `${end}: ${games}`).join(' · ')),
    );
    const sprt = summary.sprt;
    const bounds = sprt?.assessment;
    const points = match.progress;
    fill(
      this.plot,
      points.length > 1 &&
        plot('Elo of the first engine', points.map(([games, elo, error]) => ({ games, value: elo, error })), [0]),
      points.length > 1 &&
        bounds &&
        plot(
          `LLR of the test (${sprt.elo0} against ${sprt.elo1})`,
          points.flatMap(([games, , , llr]) => (llr === null ? [] : [{ games, value: llr, error: 0 }])),
          [bounds.lower, 0, bounds.upper],
        ),
      bounds &&
        h(
          'p',
          { class: 'llr' },
          `LLR ${bounds.llr.toFixed(2)} (${bounds.lower.toFixed(2)} … ${bounds.upper.toFixed(2)}): ${decided(match)}`,
        ),
    );
    this.takeGames(match.games);
  }

  /** New games come in front; those that are there go on where they are. */
  private takeGames(games: WatchedGame[]): void {
    this.boards = games.map(game => {
      const known = this.boards.find(shown => shown.game.number === game.number && shown.game.start === game.start);
      if (known) return known;
      const board = new MiniBoard();
      const moves = h('p', { class: 'mini-moves' });
      const element = h(
        'article',
        { class: 'panel', 'aria-label': `Game ${game.number}: ${game.white} against ${game.black}` },
        h('p', {}, h('strong', {}, `${game.number}. ${game.white} – ${game.black}`), ` ${game.rules}`),
        board.element,
        moves,
        h('p', { class: 'hint' }, `${game.result}: ${game.text}`),
        button('Analyse', () =>
          this.onAnalyse({ rules: game.rules, start: game.start, moves: flat(game.turns).map(move => move.uci) }),
        ),
      );
      return { game, board, element, moves, at: 0 };
    });
    fill(this.games, ...this.boards.map(({ element }) => element));
    for (const shown of this.boards) this.draw(shown);
  }

  /** All boards show their games move by move, and stay at the end for a while. */
  private step(): void {
    for (const shown of this.boards) {
      const length = flat(shown.game.turns).length;
      shown.at = shown.at >= length + 6 ? 0 : shown.at + 1;
      this.draw(shown);
    }
  }

  private draw(shown: Shown): void {
    const { game } = shown;
    const moves = flat(game.turns);
    const at = Math.min(shown.at, moves.length);
    const move = moves[at - 1];
    shown.board.show(move?.board ?? game.start.split(' ')[0] ?? '', move ? [move.from, move.to] : null);
    let index = 0;
    fill(
      shown.moves,
      ...game.turns.flatMap(turn => [
        h('span', { class: 'number' }, ` ${turn.turn}.`),
        ...turn.moves.map(played => h('span', { class: ++index === at ? 'at' : '' }, `${played.san} `)),
      ]),
    );
  }
}

function row(tag: 'td' | 'th', cells: string[]): HTMLTableRowElement {
  return h('tr', {}, ...cells.map(cell => h(tag, tag === 'th' ? { scope: 'col' } : {}, cell)));
}

function total(games: Trinomial): number {
  return games.wins + games.draws + games.losses;
}

function result(games: Trinomial): string {
  return `+${games.wins} =${games.draws} −${games.losses}`;
}

function signed(value: number): string {
  return `${value >= 0 ? '+' : '−'}${Math.abs(value).toFixed(1)}`;
}

/** What the test says; one without a decision at the end of its match has none. */
function decided({ summary }: MatchView): string {
  const decision = summary.sprt?.assessment?.decision ?? '';
  return decision === 'continue' && summary.games >= summary['games-planned'] ? 'undecided' : decision;
}

interface Point {
  games: number;
  value: number;
  error: number;
}

/** A curve over the games, with lines at the levels given. */
function plot(title: string, points: Point[], levels: number[]): HTMLElement {
  const width = 480;
  const height = 170;
  const edge = 40;
  // The first games swing far: the scale is that of the later half.
  const settled = points.slice(points.length >> 1);
  const values = [...settled.flatMap(({ value, error }) => [value - error, value + error]), ...levels];
  const low = Math.min(...values);
  const high = Math.max(...values);
  const span = high - low || 1;
  const last = points.at(-1)?.games ?? 1;
  const x = (games: number): number => edge + ((width - edge - 8) * games) / last;
  const y = (value: number): number =>
    Math.max(2, Math.min(height - 2, height - 16 - ((height - 32) * (value - low)) / span));
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', `${title}: ${points.at(-1)?.value.toFixed(2) ?? ''} after ${last} games`);
  const draw = (tag: string, attributes: Record<string, string | number>, text = ''): void => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    element.textContent = text;
    svg.append(element);
  };
  const apart = (value: number): boolean => levels.every(level => Math.abs(y(level) - y(value)) > 14);
  for (const end of [low, high].filter(apart)) {
    draw('text', { x: edge - 5, y: y(end) + 4, 'text-anchor': 'end' }, end.toFixed(0));
  }
  for (const level of levels) {
    draw('line', { x1: edge, x2: width - 8, y1: y(level), y2: y(level), class: 'level' });
    draw('text', { x: edge - 5, y: y(level) + 4, 'text-anchor': 'end' }, level.toFixed(level % 1 ? 2 : 0));
  }
  const band = [
    ...points.map(({ games, value, error }) => `${x(games)},${y(value + error)}`),
    ...[...points].reverse().map(({ games, value, error }) => `${x(games)},${y(value - error)}`),
  ];
  if (points.some(({ error }) => error > 0)) draw('polygon', { points: band.join(' '), class: 'band' });
  draw('polyline', {
    points: points.map(({ games, value }) => `${x(games)},${y(value)}`).join(' '),
    class: 'curve',
  });
  draw('text', { x: width - 8, y: height - 5, 'text-anchor': 'end' }, `${last} games`);
  return h('figure', {}, h('figcaption', {}, title), svg);
}
