// Problems: find the series that mates. The server knows whether one does.

import { Board, seriesArrows } from './board.js';
import { announce, button, check, fill, h, iconButton, select, toast, words } from './dom.js';
import type { Link } from './link.js';
import type { GameText, MoveView, Problem, View } from './messages.js';
import { moveEntry, readMoves } from './move-entry.js';
import { flat, seriesBar, sideName } from './series.js';
import { load, save } from './store.js';

export class ProblemsPage {
  readonly element: HTMLElement;
  private readonly board: Board;
  private problems: Problem[] = [];
  private current: Problem | null = null;
  private moves: string[] = [];
  private view: View | null = null;
  private turn = 0;
  private hinted: MoveView[] = [];
  private visible = false;
  private solved = new Set(load<string[]>('solved', []));
  private length = load('problem-length', 'all');
  private unsolvedOnly = load('unsolved-only', false);
  private helped = false;
  private showing: ReturnType<typeof setTimeout> | null = null;

  private readonly title = h('h2', {});
  private readonly bar = h('div', { class: 'bar' });
  private readonly hint = h('p', { class: 'hint board-hint', 'aria-live': 'polite' });
  private readonly verdict = h('p', { class: 'result', role: 'status', hidden: true });
  private readonly list = h('div', { class: 'problem-list', role: 'group', 'aria-label': 'Problems' });
  private readonly count = h('p', { class: 'hint' });
  private readonly back = button('Step back', () => this.stepBack(), { title: 'Take back the last move (Backspace)' });
  private readonly clear = button('Start again', () => this.restart());
  private readonly next = button('Next problem', () => this.openNext(), { class: 'primary' });
  private readonly entry = moveEntry('Bc4 Qh5 Qxf7', text => void this.read(text));

  constructor(
    private readonly link: Link,
    private readonly onAnalyse: (game: GameText) => void,
  ) {
    this.board = new Board(
      'The problem’s board',
      uci => this.enter([uci]),
      text => (this.hint.textContent = text),
      uci => void this.read(uci),
    );
    this.element = h(
      'section',
      { class: 'page problems', 'aria-label': 'Problems' },
      h(
        'div',
        { class: 'board-column' },
        this.board.element,
        h(
          'div',
          { class: 'under' },
          this.bar,
          h('div', { class: 'actions' }, this.back, this.clear, iconButton('turn', 'Turn the board (F)', () => this.flip())),
          this.hint,
        ),
      ),
      h(
        'div',
        { class: 'side' },
        h(
          'div',
          { class: 'panel' },
          this.title,
          this.verdict,
          this.entry.form,
          h(
            'div',
            { class: 'actions' },
            button('Hint', () => void this.help(false)),
            button('Solution', () => void this.help(true)),
            button('Analyse', () => this.onAnalyse(this.game())),
            this.next,
          ),
        ),
        h(
          'div',
          { class: 'panel' },
          select(
            'Length',
            [['all', 'all'], ...[3, 4, 5, 6, 7, 8].map((length): [string, string] => [String(length), `${length} moves`])],
            this.length,
            value => {
              this.length = value;
              save('problem-length', value);
              this.renderList();
            },
          ).row,
          check('only those not solved yet', this.unsolvedOnly, value => {
            this.unsolvedOnly = value;
            save('unsolved-only', value);
            this.renderList();
          }),
          this.count,
          this.list,
        ),
      ),
    );
  }

  show(visible: boolean, query: URLSearchParams): void {
    this.visible = visible;
    if (!visible) return;
    this.board.redraw();
    void this.load(query.get('id'));
  }

  online(): void {
    if (this.visible) void this.refresh();
  }

  private async load(id: string | null): Promise<void> {
    try {
      if (this.problems.length === 0) {
        this.problems = (await this.link.ask('problems', { problems: {} })).problems;
      }
    } catch (error) {
      toast(words(error), 'error');
      return;
    }
    const wanted =
      this.problems.find(problem => problem.id === id) ??
      this.current ??
      this.shown().find(problem => !this.solved.has(problem.id)) ??
      this.problems[0];
    if (wanted && wanted !== this.current) this.open(wanted);
    else void this.refresh();
  }

  private shown(): Problem[] {
    return this.problems.filter(
      problem =>
        (this.length === 'all' || problem.length === Number(this.length)) &&
        (!this.unsolvedOnly || !this.solved.has(problem.id)),
    );
  }

  private open(problem: Problem): void {
    this.current = problem;
    this.orientation = problem.side;
    this.helped = false;
    this.restart();
    history.replaceState(null, '', `#problems?id=${problem.id}`);
  }

  private openNext(): void {
    const shown = this.shown();
    const here = this.current ? shown.indexOf(this.current) : -1;
    const following = [...shown.slice(here + 1), ...shown.slice(0, here + 1)];
    const next = following.find(problem => !this.solved.has(problem.id)) ?? following[0];
    if (next) this.open(next);
  }

  private orientation: 'white' | 'black' = 'white';

  private flip(): void {
    this.orientation = this.orientation === 'white' ? 'black' : 'white';
    this.render();
  }

  private game(): GameText {
    return { rules: this.current?.rules ?? 'italian', start: this.current?.fen ?? 'startpos', moves: this.moves };
  }

  private restart(): void {
    this.stopShowing();
    this.moves = [];
    void this.refresh();
  }

  private stepBack(): void {
    this.stopShowing();
    this.moves.pop();
    void this.refresh();
  }

  private enter(moves: string[]): void {
    this.moves.push(...moves);
    void this.refresh().then(() => {
      const last = this.view && flat(this.view.turns).at(-1);
      if (last && this.verdict.hidden) announce(last.san);
    });
  }

  private async read(text: string): Promise<void> {
    if (!text || !this.mayMove()) return;
    const { moves, problem } = await readMoves(this.link, this.game(), text);
    if (moves.length > 0) {
      this.entry.field.value = '';
      this.enter(moves);
    } else this.hint.textContent = problem;
  }

  private async refresh(): Promise<void> {
    const turn = ++this.turn;
    if (!this.current) return;
    try {
      const view = await this.link.ask('view', { view: { game: this.game() } });
      if (turn !== this.turn) return;
      this.view = view;
    } catch (error) {
      this.hint.textContent = words(error);
      return;
    }
    this.hinted = [];
    this.hint.textContent = '';
    this.judge();
    this.render();
  }

  private won(): boolean {
    return this.view?.over?.winner === this.current?.side;
  }

  private mayMove(): boolean {
    const view = this.view;
    return Boolean(view && !view.over && view.side === this.current?.side && (view.turns.at(-1)?.complete ?? false) === false);
  }

  private judge(): void {
    const view = this.view;
    if (!view || !this.current) return;
    const done = view.turns.at(-1)?.complete ?? false;
    this.verdict.hidden = !(view.over || done);
    this.verdict.classList.toggle('wrong', !this.won());
    if (this.won()) {
      const first = !this.solved.has(this.current.id) && !this.helped;
      if (first) {
        this.solved.add(this.current.id);
        save('solved', [...this.solved]);
      }
      this.verdict.textContent = this.helped ? `Mate: ${view.over?.reason ?? ''}` : `Solved: ${view.over?.reason ?? ''}!`;
      announce(this.verdict.textContent);
    } else if (view.over) this.verdict.textContent = `${view.over.text}. Step back and try another way.`;
    else if (done) this.verdict.textContent = 'No mate. Step back and try another way.';
  }

  private async help(whole: boolean): Promise<void> {
    this.helped = true;
    const turn = this.turn;
    try {
      const hint = await this.link.ask('hint', { hint: { game: this.game() } });
      if (turn !== this.turn) return;
      this.hint.textContent = hint.text;
      const first = hint.moves[0];
      if (!first) return;
      if (whole) {
        this.showSolution(hint.moves);
        return;
      }
      // First the man, then, asked again, its move.
      const known = this.hinted.length > 0;
      this.hinted = [known ? first : { ...first, to: first.from }];
      this.hint.textContent = known ? `${hint.text}: ${first.san} comes next` : `${hint.text}: look at the man on ${first.from}`;
      this.render();
    } catch (error) {
      this.hint.textContent = words(error);
    }
  }

  private showSolution(moves: MoveView[]): void {
    this.stopShowing();
    const left = moves.map(move => move.uci);
    const step = (): void => {
      const uci = left.shift();
      if (!uci) return;
      this.enter([uci]);
      this.showing = setTimeout(step, 800);
    };
    step();
  }

  private stopShowing(): void {
    if (this.showing) clearTimeout(this.showing);
    this.showing = null;
  }

  private render(): void {
    const view = this.view;
    const problem = this.current;
    if (!view || !problem) return;
    const played = flat(view.turns);
    const shown = played.at(-1);
    fill(
      this.title,
      `${sideName(problem.side)} mates in a series of ${problem.length}`,
      this.solved.has(problem.id) ? ' ✓' : null,
    );
    this.board.show({
      board: view.fen.split(' ')[0] ?? '',
      orientation: this.orientation,
      turn: view.side,
      movable: this.mayMove() ? view.side : null,
      view,
      lastMove: shown ? [shown.from, shown.to] : null,
      check: view.check,
      arrows: [
        ...seriesArrows(played, 'blue'),
        ...this.hinted.map(move => ({ from: move.from, to: move.to, brush: 'yellow' as const })),
      ],
    });
    const last = view.turns.at(-1);
    fill(this.bar, seriesBar(view, last?.complete ? last : null));
    this.back.disabled = this.clear.disabled = this.moves.length === 0;
    this.renderList();
  }

  private renderList(): void {
    const shown = this.shown();
    this.count.textContent = `${this.problems.filter(problem => this.solved.has(problem.id)).length} of ${this.problems.length} solved`;
    fill(
      this.list,
      ...shown.map(problem =>
        h(
          'button',
          {
            type: 'button',
            class: this.solved.has(problem.id) ? 'solved' : '',
            'aria-current': problem === this.current ? 'true' : null,
            'aria-label': `Problem ${this.problems.indexOf(problem) + 1}, ${problem.length} moves${this.solved.has(problem.id) ? ', solved' : ''}`,
            onclick: () => this.open(problem),
          },
          String(this.problems.indexOf(problem) + 1),
          h('small', {}, `${problem.length}`),
        ),
      ),
    );
  }

  onKey(event: KeyboardEvent): boolean {
    if (!this.visible) return false;
    switch (event.key) {
      case 'Backspace':
      case 'ArrowLeft':
        this.stepBack();
        return true;
      case 'Home':
        this.restart();
        return true;
      case 'f':
        this.flip();
        return true;
      default:
        return false;
    }
  }
}
