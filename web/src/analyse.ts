// Analysis: the engine beside the board, variations as a tree, positions and games from anywhere.

import { Board, seriesArrows, type Arrow } from './board.js';
import { announce, button, copy, fill, h, iconButton, select, toast, words } from './dom.js';
import { Editor } from './editor.js';
import { EnginePanel } from './engine-panel.js';
import { GameExchange } from './game-exchange.js';
import type { Link } from './link.js';
import type { GameText, Hello, Lines, Sheet, Side, View } from './messages.js';
import { readMoves } from './move-entry.js';
import { flat, seriesBar } from './series.js';
import { load, save } from './store.js';
import { TreeList } from './tree-list.js';
import { GLYPH_CHOICES, ROOT, Tree, notedScore, plainComments, withScore, type TreeData } from './tree.js';

/** How long each position is looked at when a whole game is annotated, milliseconds. */
const ANNOTATE_TIME = 700;

const START: GameText = { rules: 'italian', start: 'startpos', moves: [] };

export class AnalysePage {
  readonly element: HTMLElement;
  private readonly board: Board;
  private readonly editor: Editor;
  private readonly engine: EnginePanel;
  private readonly exchange: GameExchange;
  private readonly list = new TreeList(node => this.goTo(node));
  private tree = Tree.from(load<TreeData | null>('analysis', null) ?? Tree.line(START).data);
  private view: View | null = null;
  private turn = 0;
  private orientation: Side = 'white';
  private visible = false;
  private editing = false;
  private annotating = false;
  /** A line that is walked through without touching the game. */
  private preview: { line: Lines; step: number } | null = null;

  private readonly bar = h('div', { class: 'bar' });
  private readonly hint = h('p', { class: 'hint board-hint', 'aria-live': 'polite' });
  private readonly previewBar = h('div', { class: 'preview', hidden: true });
  private readonly comment = h('textarea', {
    rows: 2,
    placeholder: 'a comment on this move',
    'aria-label': 'Comment on this move',
    onchange: () => this.setComment(this.comment.value),
  });
  private readonly glyph = select('Sign', GLYPH_CHOICES, '0', value => this.setGlyph(Number(value)));
  private readonly annotateButton = button('Annotate with scores', () => void this.annotate());
  private readonly boardView: HTMLElement;
  private readonly side: HTMLElement;

  constructor(
    private readonly link: Link,
    hello: Hello,
    private readonly onPlay: (game: GameText, side: Side) => void,
  ) {
    this.board = new Board(
      'The analysis board',
      uci => this.play([uci]),
      text => (this.hint.textContent = text),
      uci => void this.explain(uci),
    );
    this.editor = new Editor(
      link,
      hello,
      (rules, start) => {
        this.tree = Tree.line({ rules, start, moves: [] });
        this.setEditing(false);
      },
      () => this.setEditing(false),
    );
    this.engine = new EnginePanel(
      link,
      hello,
      () => !this.preview && this.showBoard(),
      (line, step) => this.setPreview({ line, step }),
    );
    this.exchange = new GameExchange(
      link,
      () => this.tree,
      () => this.view?.fen ?? '',
      game => this.open(game),
      sheet => this.openSheet(sheet),
    );
    this.side = this.buildSide();
    this.boardView = this.buildBoard();
    this.element = h('section', { class: 'page analyse', 'aria-label': 'Analyse' }, this.boardView, this.side);
  }

  private buildBoard(): HTMLElement {
    return h(
      'div',
      { class: 'board-column' },
      h('div', { class: 'with-gauge' }, this.engine.gauge, this.board.element),
      this.previewBar,
      h('div', { class: 'under' }, this.bar, this.hint),
      h(
        'div',
        { class: 'actions nav' },
        iconButton('first', 'To the start', () => this.goTo(ROOT)),
        iconButton('seriesBack', 'One series back', () => this.stepSeries(-1)),
        iconButton('back', 'One move back (left arrow)', () => this.step(-1)),
        iconButton('on', 'One move on (right arrow)', () => this.step(1)),
        iconButton('seriesOn', 'One series on', () => this.stepSeries(1)),
        iconButton('last', 'To the end', () => this.goToEnd()),
        iconButton('turn', 'Turn the board (F)', () => this.flip()),
      ),
    );
  }

  private buildSide(): HTMLElement {
    return h(
      'div',
      { class: 'side' },
      this.engine.element,
      h(
        'div',
        { class: 'panel' },
        this.list.element,
        h(
          'details',
          {},
          h('summary', {}, 'This move'),
          this.glyph.row,
          this.comment,
          h(
            'div',
            { class: 'actions' },
            button('Make main line', () => this.change(() => this.tree.promote(this.tree.at))),
            button('Delete from here', () => this.change(() => this.tree.remove(this.tree.at))),
          ),
        ),
        h(
          'div',
          { class: 'actions' },
          this.annotateButton,
          button('Share link', () => void copy(location.href, 'The link')),
          button('Set up position', () => this.setEditing(true)),
          button('Play from here', () => this.view && this.onPlay(this.tree.game(), this.view.side)),
        ),
      ),
      this.exchange.element,
    );
  }

  // Coming and going.

  show(visible: boolean, query: URLSearchParams): void {
    this.visible = visible;
    if (!visible) {
      this.engine.stop();
      return;
    }
    const start = query.get('fen');
    if (start) {
      const game: GameText = {
        rules: query.get('rules') ?? 'italian',
        start,
        moves: (query.get('moves') ?? '').split(',').filter(Boolean),
      };
      if (address(game) !== address(this.tree.game())) this.tree = Tree.line(game);
    }
    this.board.redraw();
    void this.refresh();
  }

  online(): void {
    if (this.visible) void this.refresh();
  }

  /** Opens a game; the tree before it is left. */
  open(game: GameText): void {
    this.tree = Tree.line(game);
    this.keep();
    if (this.visible) void this.refresh();
    else location.hash = '#analyse';
  }

  private openSheet(sheet: Sheet): void {
    this.tree = Tree.sheet(sheet);
    this.goToEnd();
  }

  private keep(): void {
    save('analysis', this.tree.data);
    if (this.visible) history.replaceState(null, '', address(this.tree.game()));
  }

  private setEditing(editing: boolean): void {
    this.editing = editing;
    if (editing) {
      this.engine.stop();
      fill(this.element, this.editor.element);
      this.editor.open(this.tree.data.rules, this.view?.fen ?? '');
    } else {
      fill(this.element, this.boardView, this.side);
      this.board.redraw();
      void this.refresh();
    }
  }

  // Moving about.

  private async refresh(): Promise<void> {
    const turn = ++this.turn;
    this.preview = null;
    this.keep();
    try {
      const view = await this.link.ask('view', { view: { game: this.tree.game() } });
      if (turn !== this.turn) return;
      this.view = view;
      this.tree.name(view.turns);
      save('analysis', this.tree.data);
    } catch (error) {
      if (turn !== this.turn) return;
      this.engine.stop();
      this.hint.textContent = words(error);
      if (!this.view) {
        toast(`This position cannot be shown: ${words(error)}`, 'error');
        this.tree = Tree.line(START);
        void this.refresh();
      }
      return;
    }
    this.hint.textContent = '';
    this.render();
    this.look();
  }

  /** Has the engine look at the position shown, unless there is nothing to look for. */
  private look(): void {
    // While a game is annotated, the engine has other work.
    if (this.annotating || this.editing || !this.visible || !this.view) return;
    const goesOn = Object.keys(this.view.targets).length > 0;
    this.engine.look(goesOn ? this.tree.game() : null, this.view.over);
  }

  private change(change: () => void): void {
    change();
    void this.refresh();
  }

  private goTo(index: number): void {
    this.change(() => this.tree.goTo(index));
  }

  private goToEnd(): void {
    this.goTo(this.tree.main().at(-1) ?? ROOT);
  }

  private play(moves: string[]): void {
    moves.forEach(uci => this.tree.play(uci));
    void this.refresh().then(() => announce(this.tree.node(this.tree.at)?.san ?? ''));
  }

  private step(by: 1 | -1): void {
    if (this.preview) {
      this.stepPreview(by);
      return;
    }
    const next = by < 0 ? this.tree.node(this.tree.at)?.parent : this.tree.children(this.tree.at)[0];
    if (next === undefined) return;
    this.goTo(next);
    announce(this.tree.node(next)?.san ?? 'start');
  }

  private stepSeries(by: 1 | -1): void {
    const { tree } = this;
    const turnOf = (index: number | undefined): number | undefined => tree.node(index ?? ROOT)?.turn;
    let at = tree.at;
    if (by > 0) {
      const turn = turnOf(tree.children(at)[0]);
      for (let next = tree.children(at)[0]; next !== undefined && turnOf(next) === turn; ) {
        at = next;
        next = tree.children(at)[0];
      }
    } else {
      const turn = turnOf(at);
      while (at !== ROOT && turnOf(at) === turn) at = tree.node(at)?.parent ?? ROOT;
    }
    this.goTo(at);
  }

  private flip(): void {
    this.orientation = this.orientation === 'white' ? 'black' : 'white';
    this.engine.gauge.classList.toggle('turned', this.orientation === 'black');
    if (this.preview) this.showPreview();
    else this.showBoard();
  }

  private async explain(uci: string): Promise<void> {
    this.hint.textContent = (await readMoves(this.link, this.tree.game(), uci)).problem;
  }

  // Stepping through a line without touching the game.

  private setPreview(preview: { line: Lines; step: number } | null): void {
    this.preview = preview;
    this.engine.setMark(preview);
    if (preview) this.showPreview();
    else this.showBoard();
  }

  private stepPreview(by: 1 | -1): void {
    if (!this.preview) return;
    const { line, step } = this.preview;
    this.setPreview({ line, step: Math.max(0, Math.min(flat(line.turns).length, step + by)) });
  }

  private showPreview(): void {
    const preview = this.preview;
    if (!preview) return;
    const moves = flat(preview.line.turns);
    const shown = moves[preview.step - 1];
    announce(shown ? shown.san : 'start of the line');
    this.previewBar.hidden = false;
    fill(
      this.previewBar,
      h('span', {}, `Line ${preview.line.rank}, move ${preview.step} of ${moves.length}`),
      iconButton('back', 'One move back in the line', () => this.stepPreview(-1)),
      iconButton('on', 'One move on in the line', () => this.stepPreview(1)),
      !this.engine.threat &&
        button('Add to the game', () => this.play(moves.slice(0, preview.step).map(move => move.uci)), {
          disabled: preview.step === 0,
        }),
      button('Back to the game', () => this.setPreview(null), { title: 'Esc' }),
    );
    let before = 0;
    let arrows: Arrow[] = [];
    for (const turn of preview.line.turns) {
      const done = preview.step - before;
      if (done > 0 && done <= turn.moves.length) arrows = seriesArrows(turn.moves.slice(0, done), 'blue');
      before += turn.moves.length;
    }
    this.board.show({
      board: shown?.board ?? preview.line.board,
      orientation: this.orientation,
      turn: this.view?.side ?? 'white',
      movable: null,
      view: null,
      lastMove: shown ? [shown.from, shown.to] : null,
      check: shown?.check ?? null,
      arrows,
    });
  }

  // Showing.

  private render(): void {
    if (this.view) fill(this.bar, seriesBar(this.view, null));
    this.showTree();
    this.showBoard();
  }

  private showBoard(): void {
    const view = this.view;
    if (!view) return;
    this.previewBar.hidden = true;
    const shown = flat(view.turns).at(-1);
    const { threat, lines } = this.engine;
    const second = threat ? undefined : lines[1]?.turns[0]?.moves[0];
    const arrows: Arrow[] = [
      ...(second ? seriesArrows([second], 'paleBlue') : []),
      ...seriesArrows(lines[0]?.turns[0]?.moves ?? [], threat ? 'red' : 'green'),
    ];
    this.board.show({
      board: view.fen.split(' ')[0] ?? '',
      orientation: this.orientation,
      turn: view.side,
      movable: Object.keys(view.targets).length > 0 ? view.side : null,
      view,
      lastMove: shown ? [shown.from, shown.to] : null,
      check: view.check,
      arrows,
    });
  }

  private showTree(): void {
    this.list.show(this.tree);
    const node = this.tree.node(this.tree.at);
    this.comment.value = plainComments(node?.comments ?? this.tree.data.comments);
    this.glyph.field.value = String(node?.glyphs[0] ?? 0);
    this.glyph.field.disabled = !node;
  }

  // Writing beside moves.

  private setComment(text: string): void {
    const target = this.tree.node(this.tree.at) ?? this.tree.data;
    const score = notedScore(target.comments);
    target.comments = text.trim() ? [text.trim()] : [];
    if (score) target.comments = withScore(target.comments, score);
    this.keep();
    this.showTree();
  }

  private setGlyph(glyph: number): void {
    const node = this.tree.node(this.tree.at);
    if (!node) return;
    node.glyphs = glyph ? [glyph] : [];
    this.keep();
    this.showTree();
  }

  /** Notes a score after every series of the main line; asked again, stops. */
  private async annotate(): Promise<void> {
    if (this.annotating) {
      this.annotating = false;
      return;
    }
    const { tree } = this;
    const line = tree.main();
    const ends = line.filter((node, index) => tree.node(line[index + 1] ?? ROOT)?.turn !== tree.node(node)?.turn);
    if (ends.length === 0) return;
    this.engine.look(null, null);
    this.annotating = true;
    for (const [index, end] of ends.entries()) {
      this.annotateButton.textContent = `Stop (${index + 1} of ${ends.length})`;
      const score = await this.engine.scoreAt(tree.game(end), ANNOTATE_TIME);
      if (!this.annotating || tree !== this.tree) break;
      const node = tree.node(end);
      if (node && score) node.comments = withScore(node.comments, score);
      this.keep();
      this.showTree();
    }
    this.annotating = false;
    this.annotateButton.textContent = 'Annotate with scores';
    void this.refresh();
  }

  onKey(event: KeyboardEvent): boolean {
    if (!this.visible || this.editing) return false;
    switch (event.key) {
      case 'ArrowLeft':
        this.step(-1);
        return true;
      case 'ArrowRight':
        this.step(1);
        return true;
      case 'Home':
        this.goTo(ROOT);
        return true;
      case 'End':
        this.goToEnd();
        return true;
      case 'Escape':
        if (!this.preview) return false;
        this.setPreview(null);
        return true;
      case ' ':
        if (event.target instanceof HTMLButtonElement) return false;
        this.engine.toggle();
        return true;
      case 'f':
        this.flip();
        return true;
      default:
        return false;
    }
  }
}

/** The address of a position: it can be shared and survives a reload. */
function address(game: GameText): string {
  const query = new URLSearchParams({ rules: game.rules, fen: game.start });
  if (game.moves.length > 0) query.set('moves', game.moves.join(','));
  return `#analyse?${query.toString().replaceAll('%2C', ',').replaceAll('%2F', '/')}`;
}
