// Playing: a game between people and engines, entered move by move, sent series by series.

import { Board, seriesArrows, type Arrow } from './board.js';
import { announce, button, check, fill, h, iconButton, toast, words } from './dom.js';
import type { Link } from './link.js';
import type { GameText, Hello, Side, TurnView, View } from './messages.js';
import { moveEntry, readMoves } from './move-entry.js';
import { NewGame, type State } from './new-game.js';
import { flat, moveRows, seriesBar, sideName } from './series.js';
import { load, onForeignChange, save } from './store.js';
import { Strips } from './strips.js';

const STEP_TIME = 420;

const other = (side: Side): Side => (side === 'white' ? 'black' : 'white');

export class PlayPage {
  readonly element: HTMLElement;
  private readonly board: Board;
  private state: State;
  private view: View | null = null;
  /** The number of moves up to the position shown. */
  private at = 0;
  /** What a late answer has to be compared with. */
  private turn = 0;
  private thinking = false;
  private replay: ReturnType<typeof setTimeout> | null = null;
  private tickedAt: number | null = null;
  private autoSend = load('auto-send', false);
  private arrows = load('arrows', true);
  private visible = false;
  /** Whether the game goes on in another tab; this one only shows it until it is used. */
  private follows = false;

  private readonly bar = h('div', { class: 'bar' });
  private readonly strips = new Strips();
  private readonly hint = h('p', { class: 'hint board-hint', 'aria-live': 'polite' });
  private readonly list = h('ol', { class: 'rows', 'aria-label': 'Moves, one row for each series' });
  private readonly rules = h('p', { class: 'rules' });
  private readonly result = h('p', { class: 'result', hidden: true, role: 'status' });
  private readonly form: NewGame;
  private readonly back = button('Step back', () => this.stepBack(), { title: 'Take back the last move of this series (Backspace)' });
  private readonly clear = button('Clear', () => this.clearSeries(), { title: 'Take back the whole series' });
  private readonly send = button('Send series', () => this.commit(), { class: 'primary', title: 'Send the series (S)' });
  private readonly game = h('div', { class: 'actions' });
  private readonly entry = moveEntry('e5 Nf6', text => void this.read(text));

  constructor(
    private readonly link: Link,
    private readonly hello: Hello,
    private readonly onAnalyse: (game: GameText) => void,
  ) {
    this.form = new NewGame(hello, () => void this.newGame());
    this.state = load<State | null>('play', null) ?? this.form.state();
    this.board = new Board(
      'The board of your game',
      uci => this.enter([uci]),
      text => this.say(text),
      uci => void this.explain(uci),
    );
    this.element = this.build();
    setInterval(() => this.tick(), 100);
    onForeignChange('play', () => this.follow());
    window.addEventListener('focus', () => {
      if (this.follows) void this.refresh();
    });
    // The clocks as they stand survive a reload.
    window.addEventListener('pagehide', () => {
      if (!this.follows) save('play', this.state);
    });
    void this.refresh();
  }

  show(visible: boolean): void {
    this.visible = visible;
    if (visible) this.board.redraw();
  }

  /** The server is back: ask again for what it was asked. */
  online(): void {
    this.thinking = false;
    this.turn++;
    void this.refresh(null, this.follows);
  }

  /** The game went on in another tab. */
  private follow(): void {
    const state = load<State | null>('play', null);
    if (!state) return;
    this.stopEngines();
    this.state = state;
    void this.refresh(null, true);
  }

  // The page.

  private build(): HTMLElement {
    return h(
      'section',
      { class: 'page play', 'aria-label': 'Play' },
      h(
        'div',
        { class: 'board-column' },
        this.strips.above,
        this.board.element,
        this.strips.below,
        h(
          'div',
          { class: 'under' },
          this.bar,
          h('div', { class: 'actions series-actions' }, this.back, this.clear, this.send),
          this.hint,
        ),
      ),
      h(
        'div',
        { class: 'side' },
        h(
          'div',
          { class: 'panel' },
          this.rules,
          this.result,
          this.list,
          h(
            'div',
            { class: 'actions nav' },
            iconButton('first', 'To the start', () => this.goTo(0)),
            iconButton('back', 'One move back (left arrow)', () => this.goTo(this.at - 1)),
            iconButton('on', 'One move on (right arrow)', () => this.goTo(this.at + 1)),
            iconButton('last', 'To the present', () => this.goTo(this.state.moves.length)),
            iconButton('again', 'Replay the last series', () => this.replayLast()),
            iconButton('turn', 'Turn the board (F)', () => this.flip()),
          ),
          this.entry.form,
          this.game,
          h(
            'div',
            { class: 'options' },
            check('send a full series at once', this.autoSend, value => {
              this.autoSend = value;
              save('auto-send', value);
              if (value && this.pending()?.complete) this.commit();
            }),
            check('show arrows', this.arrows, value => {
              this.arrows = value;
              save('arrows', value);
              this.render();
            }),
          ),
        ),
        h('details', { class: 'panel new-game' }, h('summary', {}, 'New game'), this.form.element),
      ),
    );
  }

  // The game.

  private async newGame(): Promise<void> {
    const state = this.form.state();
    try {
      await this.link.ask('view', { view: { game: { rules: state.rules, start: state.start, moves: [] } } });
    } catch (error) {
      toast(words(error), 'error');
      return;
    }
    this.stopEngines();
    this.state = state;
    this.element.querySelector('details.new-game')?.removeAttribute('open');
    await this.refresh();
    this.element.querySelector<HTMLElement>('.board')?.focus({ preventScroll: true });
  }

  /** Plays on from a position of the analysis. */
  async playFrom(game: GameText, mine: Side): Promise<void> {
    this.stopEngines();
    const state = this.form.state();
    this.state = {
      ...state,
      rules: game.rules,
      start: game.start,
      moves: game.moves,
      sent: game.moves.length,
      players: {
        white: { ...state.players.white, engine: mine === 'white' ? null : this.form.wishes.engines.white },
        black: { ...state.players.black, engine: mine === 'black' ? null : this.form.wishes.engines.black },
      },
      orientation: mine,
    };
    await this.refresh();
  }

  private text(moves = this.state.moves): GameText {
    return { rules: this.state.rules, start: this.state.start, moves };
  }

  /** Asks for the position, shows it, and goes on with the game, unless another tab does. */
  private async refresh(from: number | null = null, follows = false): Promise<void> {
    const turn = ++this.turn;
    this.follows = follows;
    if (!follows) save('play', this.state);
    try {
      const view = await this.link.ask('view', { view: { game: this.text() } });
      if (turn !== this.turn) return;
      this.view = view;
    } catch (error) {
      if (turn === this.turn) this.say(words(error));
      return;
    }
    this.stopReplay();
    const end = this.state.moves.length;
    if (from !== null && from < end) this.replayFrom(from);
    else {
      this.at = end;
      this.render();
      this.proceed();
    }
  }

  /** The last turn, if it is not final yet. */
  private pending(): TurnView | null {
    if (this.state.moves.length <= this.state.sent) return null;
    return this.view?.turns.at(-1) ?? null;
  }

  private end(): { result: string; text: string } | null {
    const over = this.view?.over;
    if (this.state.ended) return this.state.ended;
    return over && (!this.pending() || this.state.sent === this.state.moves.length) ? over : null;
  }

  private isHuman(side: Side): boolean {
    return this.state.players[side].engine === null;
  }

  /** Whether a person may move now. */
  private mayMove(): boolean {
    const view = this.view;
    if (!view || this.end() || this.thinking || view.over) return false;
    const pending = this.pending();
    return this.at === this.state.moves.length && !pending?.complete && this.isHuman(view.side);
  }

  /** Enters moves of the series. */
  private enter(moves: string[]): void {
    this.state.moves.push(...moves);
    void this.refresh().then(() => {
      const pending = this.pending();
      if (!pending) return;
      const last = pending.moves.at(-1);
      if (last) announce(`${last.san}. ${this.bar.querySelector('.now')?.textContent ?? ''}`);
      if ((pending.complete || this.view?.over) && (this.autoSend || pending.length === 1)) {
        this.commit();
      } else if (pending.complete || this.view?.over) this.send.focus({ preventScroll: true });
    });
  }

  private async read(text: string): Promise<void> {
    if (!text) {
      if (!this.send.disabled) this.commit();
      return;
    }
    if (!this.mayMove()) {
      this.say('It is not your move.');
      return;
    }
    const { moves, problem } = await readMoves(this.link, this.text(), text);
    if (moves.length > 0) {
      this.entry.field.value = '';
      this.enter(moves);
      this.entry.field.focus();
    } else this.say(problem);
  }

  private async explain(uci: string): Promise<void> {
    this.say((await readMoves(this.link, this.text(), uci)).problem);
  }

  private stepBack(): void {
    if (this.state.moves.length <= this.state.sent) return;
    this.state.moves.pop();
    void this.refresh();
  }

  private clearSeries(): void {
    if (this.state.moves.length <= this.state.sent) return;
    this.state.moves.length = this.state.sent;
    void this.refresh();
  }

  /** Makes the series final and gives the turn to the other side. */
  private commit(): void {
    const pending = this.pending();
    if (!pending || !(pending.complete || this.view?.over) || this.state.ended) return;
    this.endTurn(pending.side);
    this.state.sent = this.state.moves.length;
    void this.refresh();
  }

  /** Takes back up to one's own last series. */
  private takeBack(): void {
    const turns = this.view?.turns ?? [];
    this.stopEngines();
    this.clearEnd();
    if (this.state.moves.length > this.state.sent) {
      this.state.moves.length = this.state.sent;
    } else {
      // An engine's first series, with none of one's own before it, stays.
      const mine = turns.findLastIndex(turn => this.isHuman(turn.side));
      if (mine >= 0) this.state.moves.length = flat(turns.slice(0, mine)).length;
      this.state.sent = this.state.moves.length;
    }
    void this.refresh();
  }

  private clearEnd(): void {
    const clock = this.state.clock;
    this.state.ended = null;
    if (!clock) return;
    for (const side of ['white', 'black'] as const) {
      if (this.state.left[side] <= 0) this.state.left[side] = clock.minutes * 60_000;
    }
  }

  private resign(): void {
    const view = this.view;
    if (!view || this.end()) return;
    const turnSide = this.pending()?.side ?? view.side;
    const side = this.isHuman(turnSide) ? turnSide : other(turnSide);
    this.finish(side === 'white' ? '0-1' : '1-0', `${sideName(side)} resigns`);
  }

  private finish(result: string, text: string): void {
    this.stopEngines();
    this.state.moves.length = this.state.sent;
    this.state.ended = { result, text };
    void this.refresh();
  }

  private stopEngines(): void {
    this.turn++;
    this.thinking = false;
    this.stopReplay();
    for (const seat of ['white', 'black'] as const) this.link.tell({ stop: { seat } });
  }

  /** Lets the engine play if it is its turn. */
  private proceed(): void {
    const view = this.view;
    if (!view || this.end() || this.pending() || view.over || this.thinking) return;
    if (this.state.paused || this.follows) return;
    const side = view.side;
    const player = this.state.players[side];
    if (player.engine === null) return;
    const turn = this.turn;
    this.thinking = true;
    this.render();
    const { clock, left } = this.state;
    const clocks = clock && {
      white: Math.max(1, Math.round(left.white)),
      black: Math.max(1, Math.round(left.black)),
      increment: clock.increment * 1000,
    };
    this.link
      .ask('played', {
        play: {
          game: this.text(),
          seat: side,
          engine: player.engine,
          level: player.level,
          // A game that was kept by an older page has none.
          seed: this.state.seed ?? 0,
          clocks,
        },
      })
      .then(
        played => {
          if (turn !== this.turn) return;
          this.thinking = false;
          this.endTurn(side);
          const from = this.state.moves.length;
          this.state.moves.push(...played.moves);
          this.state.sent = this.state.moves.length;
          void this.refresh(from);
        },
        error => {
          if (turn !== this.turn) return;
          this.thinking = false;
          this.state.paused = true;
          this.say(words(error));
          this.render();
        },
      );
  }

  // Clocks.

  private endTurn(side: Side): void {
    this.tick();
    const clock = this.state.clock;
    if (clock) this.state.left[side] += clock.increment * 1000;
    this.tickedAt = null;
  }

  private tick(): void {
    const view = this.view;
    const clock = this.state.clock;
    const now = performance.now();
    const last = this.tickedAt;
    this.tickedAt = now;
    if (!clock || !view || last === null || this.end() || this.state.paused || this.replay) return;
    if (this.follows) return;
    if (view.turns.length === 0) return;
    const side = this.pending()?.side ?? view.side;
    // A page that slept is not charged for it.
    this.state.left[side] -= Math.min(now - last, 2000);
    if (this.state.left[side] <= 0) {
      this.state.left[side] = 0;
      const winner = other(side);
      this.finish(winner === 'white' ? '1-0' : '0-1', `${sideName(winner)} wins: ${side} ran out of time`);
      return;
    }
    this.strips.showClocks(this.state);
  }

  // Showing.

  private say(text: string): void {
    this.hint.textContent = text;
  }

  private goTo(at: number): void {
    this.stopReplay();
    this.at = Math.max(0, Math.min(this.state.moves.length, at));
    this.render();
    this.proceed();
  }

  private replayLast(): void {
    const last = this.view?.turns.at(-1);
    if (last) this.replayFrom(this.state.moves.length - last.moves.length);
  }

  private replayFrom(from: number): void {
    this.stopReplay();
    this.at = from;
    this.render();
    const step = (): void => {
      this.at++;
      this.replay = this.at < this.state.moves.length ? setTimeout(step, STEP_TIME) : null;
      this.render();
      if (!this.replay) {
        this.announceLast();
        this.proceed();
      }
    };
    this.replay = setTimeout(step, STEP_TIME / 2);
  }

  private stopReplay(): void {
    if (this.replay) clearTimeout(this.replay);
    this.replay = null;
  }

  private announceLast(): void {
    const last = this.view?.turns.at(-1);
    if (last) announce(`${sideName(last.side)} played ${last.moves.map(move => move.san).join(', ')}`);
  }

  private flip(): void {
    this.state.orientation = other(this.state.orientation);
    if (!this.follows) save('play', this.state);
    this.render();
  }

  private render(): void {
    const view = this.view;
    if (!view) return;
    const moves = flat(view.turns);
    const pending = this.pending();
    const present = this.at === this.state.moves.length;
    const shown = moves[this.at - 1];
    const board = shown?.board ?? view.start.split(' ')[0] ?? '';
    this.say('');
    this.board.show({
      board,
      orientation: this.state.orientation,
      turn: view.side,
      movable: this.mayMove() ? view.side : null,
      view: present ? view : null,
      lastMove: shown ? [shown.from, shown.to] : null,
      check: shown ? shown.check : view.turns.length === 0 ? view.check : null,
      arrows: this.arrows ? this.lastArrows(view.turns) : [],
    });
    fill(this.bar, seriesBar(view, pending?.complete ? pending : null));
    moveRows(this.list, view.turns, this.at, this.state.sent, at => this.goTo(at));
    const complete = Boolean(pending && (pending.complete || view.over));
    this.back.disabled = this.clear.disabled = !pending;
    this.send.disabled = !complete;
    const end = this.end();
    this.result.hidden = !end;
    fill(this.result, end ? h('strong', {}, end.result) : null, end ? ` ${end.text}` : null);
    const number = /^startpos960 (\d+)$/.exec(this.state.start)?.[1];
    fill(this.rules, h('strong', {}, view.rules), number && ` from Chess960 array ${number}`);
    this.strips.show(
      this.state,
      { white: this.playerName('white'), black: this.playerName('black') },
      end ? null : (pending?.side ?? view.side),
      this.thinking ? view.side : null,
    );
    this.renderActions(view);
  }

  /** Arrows for the moves of the turn shown, as far as it is shown. */
  private lastArrows(turns: TurnView[]): Arrow[] {
    let before = 0;
    for (const turn of turns) {
      const end = before + turn.moves.length;
      if (this.at > before && this.at <= end) {
        const brush = before >= this.state.sent ? 'blue' : 'green';
        return seriesArrows(turn.moves.slice(0, this.at - before), brush);
      }
      before = end;
    }
    return [];
  }

  private playerName(side: Side): string {
    const { engine, level } = this.state.players[side];
    if (engine === null) return this.isHuman(other(side)) ? sideName(side) : 'You';
    return `${this.hello.engines[engine] ?? 'engine'} · level ${this.hello.levels[level] ?? level}`;
  }

  private renderActions(view: View): void {
    const engines = !this.isHuman('white') || !this.isHuman('black');
    const both = !this.isHuman('white') && !this.isHuman('black');
    const end = this.end();
    fill(
      this.game,
      button('Take back', () => this.takeBack(), { disabled: view.turns.length === 0 || both }),
      !end && !both && button('Resign', () => this.resign(), { disabled: view.turns.length === 0 }),
      this.thinking &&
        button('Move now', () => this.link.tell({ 'move-now': { seat: view.side } })),
      engines &&
        !end &&
        (both || this.state.paused) &&
        button(this.state.paused ? 'Go on' : 'Pause', () => {
          this.state.paused = !this.state.paused;
          if (this.state.paused) this.stopEngines();
          void this.refresh();
        }),
      button('Analyse', () => this.onAnalyse(this.text(this.state.moves))),
    );
  }

  /** Keys that work anywhere on the page. */
  onKey(event: KeyboardEvent): boolean {
    if (!this.visible) return false;
    switch (event.key) {
      case 'ArrowLeft':
        this.goTo(this.at - 1);
        return true;
      case 'ArrowRight':
        this.goTo(this.at + 1);
        return true;
      case 'Home':
        this.goTo(0);
        return true;
      case 'End':
        this.goTo(this.state.moves.length);
        return true;
      case 'Backspace':
        this.stepBack();
        return true;
      case 's':
        this.commit();
        return true;
      case 'f':
        this.flip();
        return true;
      default:
        return false;
    }
  }
}
