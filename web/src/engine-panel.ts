// What the engine sees: score, best lines, and the switches of its work.

import { announce, button, fill, h, select } from './dom.js';
import type { Link } from './link.js';
import type { GameText, Hello, Lines, Over } from './messages.js';
import { sideName } from './series.js';
import { load, save } from './store.js';

/** The value of a won game, hundredths of a pawn. */
const WON = 30_000;

export class EnginePanel {
  readonly element: HTMLElement;
  readonly gauge = h('div', { class: 'gauge', role: 'img', 'aria-label': 'Evaluation' }, h('i'));
  engine = 0;
  threat = false;
  lines: Lines[] = [];
  private running = load('engine-on', true);
  private count = load('lines', 3);
  private game: GameText | null = null;
  private over: Over | null = null;
  private stopListening: (() => void) | null = null;
  /** The line and move that are walked through. */
  private mark: { line: Lines; step: number } | null = null;

  private readonly score = h('strong', { class: 'score' });
  private readonly about = h('span', { class: 'hint' });
  private readonly badge = h('p', { class: 'badge', hidden: true, role: 'status' });
  private readonly pvs = h('ol', { class: 'pvs', 'aria-label': 'Best lines' });
  private readonly toggleButton = button('', () => this.toggle(), {
    title: 'Start or pause the engine (Space)',
    'aria-label': 'Engine',
  });
  private readonly threatButton = button('Threat', () => this.setThreat(!this.threat), {
    title: 'What the other side could do if the side on turn passed',
  });

  /**
   * @param onLines the lines have changed.
   * @param onStep a move of a line was chosen, counted from 1; 0 is its start.
   */
  constructor(
    private readonly link: Link,
    hello: Hello,
    private readonly onLines: () => void,
    private readonly onStep: (line: Lines, step: number) => void,
  ) {
    this.element = h(
      'div',
      { class: 'panel engine' },
      h('div', { class: 'engine-head' }, this.score, this.about, this.toggleButton),
      this.badge,
      this.pvs,
      h(
        'div',
        { class: 'actions' },
        this.threatButton,
        select(
          'Lines',
          [1, 2, 3, 4, 5, 6, 8, 10].map(count => [String(count), String(count)]),
          String(this.count),
          value => {
            this.count = Number(value);
            save('lines', this.count);
            this.begin();
          },
        ).row,
        hello.engines.length > 1 &&
          select(
            'Engine',
            hello.engines.map((name, index) => [String(index), name]),
            '0',
            value => {
              this.engine = Number(value);
              this.begin();
            },
          ).row,
      ),
    );
  }

  /** Starts or pauses. */
  toggle(): void {
    this.running = !this.running;
    save('engine-on', this.running);
    this.begin();
  }

  private setThreat(threat: boolean): void {
    this.threat = threat;
    this.begin();
  }

  /** Looks at a position from scratch; without one there is nothing to look at. */
  look(game: GameText | null, over: Over | null): void {
    this.game = game;
    this.over = over;
    this.begin();
  }

  /** Ends the engine's work; nothing that comes late is shown. */
  stop(): void {
    this.stopListening?.();
    this.stopListening = null;
    this.link.tell({ stop: { seat: 'analysis' } });
  }

  private begin(): void {
    this.stopListening?.();
    this.stopListening = null;
    this.lines = [];
    this.mark = null;
    this.about.textContent = '';
    if (!this.running || !this.game) {
      this.link.tell({ stop: { seat: 'analysis' } });
      this.show();
      return;
    }
    this.about.textContent = 'thinking …';
    this.show();
    const { game, engine, count, threat } = this;
    this.stopListening = this.link.listen(
      { analyse: { game, engine, lines: count, threat, time: null } },
      reply => {
        if (reply.is === 'lines') this.take(reply);
        else if (reply.is === 'error') this.about.textContent = reply.text;
      },
    );
  }

  private take(line: Lines): void {
    const won = this.lines[0]?.wins;
    this.lines[line.rank - 1] = line;
    if (line.rank === 1 && line.wins && !won) announce('Won in this series');
    this.show();
  }

  /** Marks the move of a line that is walked through, as long as the line stands there. */
  setMark(mark: { line: Lines; step: number } | null): void {
    this.mark = mark;
    this.showLines();
  }

  private show(): void {
    this.toggleButton.textContent = this.running ? 'Pause' : 'Start';
    this.toggleButton.setAttribute('aria-pressed', String(this.running));
    this.threatButton.setAttribute('aria-pressed', String(this.threat));
    const best = this.lines[0];
    this.score.textContent = best ? best.score : this.over ? this.over.result : '–';
    if (best) {
      const speed =
        best.nps >= 1e6 ? `${(best.nps / 1e6).toFixed(1)} M/s` : `${Math.round(best.nps / 1e3)} k/s`;
      this.about.textContent = `depth ${best.depth} · ${speed}`;
    }
    this.showGauge(best?.value ?? { white: WON, black: -WON, none: 0 }[this.over?.winner ?? 'none']);
    this.badge.hidden = !best?.wins;
    if (best?.wins) {
      const winner = sideName(best.turns[0]?.side ?? 'white');
      fill(
        this.badge,
        this.threat ? `Threat: ${winner} would win in one series ` : 'Won in this series ',
        button('show it', () => this.onStep(best, 0)),
      );
    }
    this.showLines();
    this.onLines();
  }

  /** White's share of the bar, from a logistic curve over the value. */
  private showGauge(value: number): void {
    const share = 100 / (1 + Math.exp(-0.004 * value));
    (this.gauge.firstElementChild as HTMLElement).style.height = `${share}%`;
    this.gauge.setAttribute('aria-label', `Evaluation ${this.score.textContent}`);
  }

  private showLines(): void {
    fill(this.pvs, ...this.lines.filter(Boolean).map(line => this.line(line)));
  }

  private line(line: Lines): HTMLElement {
    let index = 0;
    const turns = line.turns.map(turn =>
      h(
        'span',
        { class: 'pv-turn' },
        h('span', { class: 'number' }, `${turn.turn}.`),
        ...turn.moves.map(move => {
          const step = ++index;
          const on = this.mark?.line === line && this.mark.step === step;
          return h(
            'button',
            {
              type: 'button',
              class: `move${on ? ' at' : ''}`,
              onclick: () => this.onStep(line, step),
            },
            move.san,
          );
        }),
      ),
    );
    return h('li', {}, h('strong', { class: 'score' }, line.score), h('span', { class: 'pv' }, ...turns));
  }

  /** The score of a position after a look of `time` milliseconds; none where the game is over. */
  scoreAt(game: GameText, time: number): Promise<string | null> {
    return new Promise(resolve => {
      let score: string | null = null;
      const stop = this.link.listen(
        { analyse: { game, engine: this.engine, lines: 1, threat: false, time } },
        reply => {
          if (reply.is === 'lines' && reply.rank === 1) score = pgnScore(reply.score);
          else if (reply.is === 'stopped' || reply.is === 'error') {
            stop();
            resolve(score);
          }
        },
      );
    });
  }
}

/** A score as PGN's `%eval` writes it. */
function pgnScore(score: string): string {
  const plain = score.replace('+', '');
  return plain.includes('M') ? `#${plain.replace('M', '')}` : plain;
}
