// Analysis: the engine beside the board, variations as a tree, positions and games from anywhere.

import { Board, seriesArrows, type Arrow } from './board.js';
import { announce, button, copy, fill, h, iconButton, select, toast, words } from './dom.js';
import { Editor } from './editor.js';
import type { Link } from './link.js';
import type { GameText, Hello, Lines, Sheet, Side, View } from './messages.js';
import { flat, seriesBar, sideName } from './series.js';
import { load, save } from './store.js';
import {
  GLYPH_CHOICES,
  ROOT,
  Tree,
  glyphSign,
  notedScore,
  plainComments,
  withScore,
  type TreeData,
} from './tree.js';

interface Preview {
  line: Lines;
  step: number;
}

/** How long each position is looked at when a whole game is annotated, milliseconds. */
const ANNOTATE_TIME = 700;

const START: GameText = { rules: 'italian', start: 'startpos', moves: [] };

export class AnalysePage {
  readonly element: HTMLElement;
  private readonly board: Board;
  private readonly editor: Editor;
  private tree = Tree.from(load<TreeData | null>('analysis', null) ?? Tree.line(START).data);
  private view: View | null = null;
  private turn = 0;
  private orientation: Side = 'white';
  private visible = false;
  private editing = false;

  private running = load('engine-on', true);
  private count = load('lines', 3);
  private engine = 0;
  private threat = false;
  private stopListening: (() => void) | null = null;
  private lines: Lines[] = [];
  private preview: Preview | null = null;
  private annotating = false;

  private readonly bar = h('div', { class: 'bar' });
  private readonly hint = h('p', { class: 'hint board-hint', 'aria-live': 'polite' });
  private readonly gauge = h('div', { class: 'gauge', role: 'img', 'aria-label': 'Evaluation' }, h('i'));
  private readonly score = h('strong', { class: 'score' });
  private readonly about = h('span', { class: 'hint' });
  private readonly badge = h('p', { class: 'badge', hidden: true, role: 'status' });
  private readonly pvs = h('ol', { class: 'pvs', 'aria-label': 'Best lines' });
  private readonly toggle = button('', () => this.setRunning(!this.running), { title: 'Start or pause the engine (Space)', 'aria-label': 'Engine' });
  private readonly threatButton = button('Threat', () => this.setThreat(!this.threat), {
    title: 'What the other side could do if the side on turn passed',
  });
  private readonly previewBar = h('div', { class: 'preview', hidden: true });
  private readonly list = h('div', { class: 'rows tree', role: 'group', 'aria-label': 'Moves, one row for each series' });
  private readonly comment = h('textarea', {
    rows: 2,
    placeholder: 'a comment on this move',
    'aria-label': 'Comment on this move',
    onchange: () => this.setComment(this.comment.value),
  });
  private readonly glyph = select('Sign', GLYPH_CHOICES, '0', value => this.setGlyph(Number(value)));
  private readonly text = h('textarea', { rows: 5, 'aria-label': 'PGN or series FEN', placeholder: 'paste PGN (series or null-move form) or a series FEN', spellcheck: 'false' });
  private readonly picker = h('div', {});
  private readonly annotateButton = button('Annotate with scores', () => void this.annotate());
  private readonly boardView: HTMLElement;
  private readonly side: HTMLElement;

  constructor(
    private readonly link: Link,
    private readonly hello: Hello,
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
        this.setEditing(false);
        this.open({ rules, start, moves: [] });
      },
      () => this.setEditing(false),
    );
    this.side = this.buildSide();
    this.boardView = h(
      'div',
      { class: 'board-column' },
      h('div', { class: 'with-gauge' }, this.gauge, this.board.element),
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
        iconButton('last', 'To the end', () => this.goTo(this.tree.main().at(-1) ?? ROOT)),
        iconButton('turn', 'Turn the board (F)', () => this.flip()),
      ),
    );
    this.element = h('section', { class: 'page analyse', 'aria-label': 'Analyse' }, this.boardView, this.side);
  }

  private buildSide(): HTMLElement {
    const file = h('input', {
      type: 'file',
      accept: '.pgn,.txt',
      'aria-label': 'PGN file',
      onchange: async () => {
        const chosen = file.files?.[0];
        if (!chosen) return;
        this.text.value = await chosen.text();
        file.value = '';
        void this.import();
      },
    });
    return h(
      'div',
      { class: 'side' },
      h(
        'div',
        { class: 'panel engine' },
        h('div', { class: 'engine-head' }, this.score, this.about, this.toggle),
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
              this.analyse();
            },
          ).row,
          this.hello.engines.length > 1 &&
            select(
              'Engine',
              this.hello.engines.map((name, index) => [String(index), name]),
              '0',
              value => {
                this.engine = Number(value);
                this.analyse();
              },
            ).row,
        ),
      ),
      h(
        'div',
        { class: 'panel' },
        this.list,
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
          button('Play from here', () => {
            if (this.view) this.onPlay(this.tree.game(), this.view.side);
          }),
        ),
      ),
      h(
        'details',
        { class: 'panel import' },
        h('summary', {}, 'PGN and FEN'),
        this.text,
        h('div', { class: 'actions' }, button('Read it', () => void this.import(), { class: 'primary' }), file),
        this.picker,
        h(
          'div',
          { class: 'actions' },
          button('Write PGN', () => void this.export('series')),
          button('Write null-move PGN', () => void this.export('null-moves')),
          button('Copy FEN', () => void copy(this.view?.fen ?? '', 'The FEN')),
          button('Copy text', () => void copy(this.text.value, 'The text')),
        ),
      ),
    );
  }

  // Coming and going.

  show(visible: boolean, query: URLSearchParams): void {
    this.visible = visible;
    if (!visible) {
      this.stopEngine();
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
    this.tree.goTo(this.tree.main().at(-1) ?? ROOT);
    void this.refresh();
  }

  private keep(): void {
    save('analysis', this.tree.data);
    if (this.visible) history.replaceState(null, '', address(this.tree.game()));
  }

  private setEditing(editing: boolean): void {
    this.editing = editing;
    if (editing) {
      this.stopEngine();
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
      this.stopEngine();
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
    this.analyse();
  }

  private change(change: () => void): void {
    change();
    void this.refresh();
  }

  private goTo(index: number): void {
    this.tree.goTo(index);
    void this.refresh();
  }

  private play(moves: string[]): void {
    for (const uci of moves) this.tree.play(uci);
    void this.refresh();
  }

  private step(by: 1 | -1): void {
    if (this.preview) {
      this.stepPreview(by);
      return;
    }
    const node = this.tree.node(this.tree.at);
    const next = by < 0 ? node?.parent : this.tree.children(this.tree.at)[0];
    if (next === undefined) return;
    this.goTo(next);
    const san = this.tree.node(next)?.san;
    announce(san ?? 'start');
  }

  private stepSeries(by: 1 | -1): void {
    let at = this.tree.at;
    if (by > 0) {
      const turn = this.tree.node(this.tree.children(at)[0] ?? ROOT)?.turn;
      for (let next = this.tree.children(at)[0]; next !== undefined; next = this.tree.children(at)[0]) {
        if (this.tree.node(next)?.turn !== turn) break;
        at = next;
      }
    } else {
      const turn = this.tree.node(at)?.turn;
      while (at !== ROOT && this.tree.node(at)?.turn === turn) at = this.tree.node(at)?.parent ?? ROOT;
    }
    this.goTo(at);
  }

  private flip(): void {
    this.orientation = this.orientation === 'white' ? 'black' : 'white';
    this.render();
  }

  private async explain(uci: string): Promise<void> {
    try {
      const read = await this.link.ask('read', { read: { game: this.tree.game(), text: uci } });
      if (read.text) this.hint.textContent = read.text;
    } catch (error) {
      this.hint.textContent = words(error);
    }
  }

  // The engine.

  private setRunning(running: boolean): void {
    this.running = running;
    save('engine-on', running);
    this.analyse();
  }

  private setThreat(threat: boolean): void {
    this.threat = threat;
    this.analyse();
  }

  private stopEngine(): void {
    this.stopListening?.();
    this.stopListening = null;
    this.link.tell({ stop: { seat: 'analysis' } });
  }

  /** Looks at the position shown, from scratch. */
  private analyse(): void {
    this.stopListening?.();
    this.stopListening = null;
    this.lines = [];
    this.preview = null;
    this.about.textContent = '';
    const ends = this.view && Object.keys(this.view.targets).length === 0;
    if (!this.running || !this.view || ends || !this.visible || this.editing || this.annotating) {
      if (!this.annotating) this.link.tell({ stop: { seat: 'analysis' } });
      this.renderLines();
      return;
    }
    this.about.textContent = 'thinking …';
    this.renderLines();
    this.stopListening = this.link.listen(
      {
        analyse: {
          game: this.tree.game(),
          engine: this.engine,
          lines: this.count,
          threat: this.threat,
          time: null,
        },
      },
      reply => {
        if (reply.is === 'lines') this.take(reply);
        else if (reply.is === 'error') this.about.textContent = reply.text;
      },
    );
  }

  private take(line: Lines): void {
    const won = this.lines[0]?.wins;
    this.lines[line.rank - 1] = line;
    if (line.rank === 1 && line.wins && !won) announce('Mate in this series');
    this.renderLines();
  }

  private renderLines(): void {
    this.toggle.textContent = this.running ? 'Pause' : 'Start';
    this.toggle.setAttribute('aria-pressed', String(this.running));
    this.threatButton.setAttribute('aria-pressed', String(this.threat));
    const lines = this.lines.filter(Boolean);
    const best = lines[0];
    this.score.textContent = best ? best.score : this.view?.over ? this.view.over.result : '–';
    if (best) {
      const speed = best.nps >= 1e6 ? `${(best.nps / 1e6).toFixed(1)} M/s` : `${Math.round(best.nps / 1e3)} k/s`;
      this.about.textContent = `depth ${best.depth} · ${speed}`;
    }
    const value = best ? best.value : this.view?.over?.winner === 'white' ? 30000 : this.view?.over?.winner === 'black' ? -30000 : 0;
    const white = 50 + 50 * (2 / (1 + Math.exp(-0.004 * value)) - 1);
    const fillBar = this.gauge.firstElementChild as HTMLElement;
    fillBar.style.height = `${white}%`;
    this.gauge.classList.toggle('turned', this.orientation === 'black');
    this.gauge.setAttribute('aria-label', `Evaluation ${this.score.textContent}`);
    this.badge.hidden = !best?.wins;
    if (best?.wins) {
      const first = best.turns[0];
      fill(
        this.badge,
        this.threat ? `Threat: ${sideName(first?.side ?? 'white')} would win in one series` : 'Won in this series: ',
        !this.threat && button('show it', () => this.startPreview(best, 0)),
      );
    }
    fill(this.pvs, ...lines.map(line => this.pv(line)));
    if (!this.preview) this.showBoard();
  }

  private pv(line: Lines): HTMLElement {
    let index = 0;
    const turns = line.turns.map(turn =>
      h(
        'span',
        { class: 'pv-turn' },
        h('span', { class: 'number' }, `${turn.turn}.`),
        ...turn.moves.map(move => {
          const step = ++index;
          const on = this.preview?.line.rank === line.rank && this.preview.step === step;
          return h(
            'button',
            { type: 'button', class: `move${on ? ' at' : ''}`, onclick: () => this.startPreview(line, step) },
            move.san,
          );
        }),
      ),
    );
    return h('li', {}, h('strong', { class: 'score' }, line.score), h('span', { class: 'pv' }, ...turns));
  }

  // Stepping through a line without touching the game.

  private startPreview(line: Lines, step: number): void {
    this.preview = { line, step };
    this.showPreview();
  }

  private stepPreview(by: 1 | -1): void {
    if (!this.preview) return;
    const { line, step } = this.preview;
    this.preview = { line, step: Math.max(0, Math.min(flat(line.turns).length, step + by)) };
    this.showPreview();
  }

  private endPreview(): void {
    this.preview = null;
    this.render();
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
      !this.threat &&
        button('Add to the game', () => this.play(moves.slice(0, preview.step).map(move => move.uci)), {
          disabled: preview.step === 0,
        }),
      button('Back to the game', () => this.endPreview(), { title: 'Esc' }),
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
    fill(this.pvs, ...this.lines.filter(Boolean).map(line => this.pv(line)));
  }

  // Showing.

  private render(): void {
    const view = this.view;
    if (!view) return;
    fill(this.bar, seriesBar(view, null));
    this.renderTree();
    this.renderLines();
  }

  private showBoard(): void {
    const view = this.view;
    if (!view) return;
    this.previewBar.hidden = true;
    const shown = flat(view.turns).at(-1);
    const best = this.lines[0]?.turns[0];
    const second = this.lines[1]?.turns[0];
    const arrows: Arrow[] = [];
    if (second && !this.threat && second.moves[0]) {
      arrows.push({ from: second.moves[0].from, to: second.moves[0].to, brush: 'paleBlue' });
    }
    if (best) arrows.push(...seriesArrows(best.moves, this.threat ? 'red' : 'green'));
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

  private renderTree(): void {
    const { tree } = this;
    const intro = plainComments(tree.data.comments);
    const rows = h('ol', {});
    const first = tree.data.first[0];
    if (first !== undefined) this.renderLine(first, rows);
    fill(
      this.list,
      intro && h('p', { class: 'comment' }, intro),
      first === undefined && h('p', { class: 'hint' }, 'Move on the board, or read a game below.'),
      rows,
      tree.data.result !== '*' && h('p', { class: 'hint' }, tree.data.result),
    );
    this.list.querySelector('.at')?.scrollIntoView({ block: 'nearest' });
    const node = tree.node(tree.at);
    this.comment.value = plainComments(node?.comments ?? tree.data.comments);
    this.glyph.field.value = String(node?.glyphs[0] ?? 0);
    this.glyph.field.disabled = !node;
  }

  /** The line that begins with a move, with its variations under the rows they leave. */
  private renderLine(start: number, into: HTMLElement): void {
    const { tree } = this;
    let next: number | undefined = start;
    while (next !== undefined) {
      const turn = tree.node(next)?.turn;
      const cells: HTMLElement[] = [];
      const below: HTMLElement[] = [];
      let notes = '';
      let node = tree.node(next);
      while (next !== undefined && node && node.turn === turn) {
        const here: number = next;
        const score = notedScore(node.comments);
        cells.push(
          h(
            'button',
            {
              type: 'button',
              class: `move${here === tree.at ? ' at' : ''}`,
              'aria-current': here === tree.at ? 'true' : null,
              onclick: () => this.goTo(here),
            },
            `${node.san}${node.glyphs.map(glyphSign).join('')}`,
          ),
        );
        if (score) cells.push(h('span', { class: 'noted' }, score));
        notes += ` ${plainComments(node.comments)}`;
        const siblings = tree.children(node.parent);
        if (siblings[0] === here && here !== start) below.push(...this.others(siblings));
        else if (here === start && into.parentElement === null && node.parent === ROOT) {
          below.push(...this.others(siblings));
        }
        next = tree.children(here)[0];
        node = next === undefined ? null : tree.node(next);
      }
      into.append(
        h(
          'li',
          {},
          h('span', { class: 'number' }, turn ? `${turn}.` : ''),
          h('span', { class: 'moves' }, ...cells),
          notes.trim() && h('p', { class: 'comment' }, notes.trim()),
          ...below,
        ),
      );
    }
  }

  private others(siblings: number[]): HTMLElement[] {
    return siblings.slice(1).map(sibling => {
      const rows = h('ol', { class: 'variation' });
      const holder = h('div', {}, rows);
      this.renderLine(sibling, rows);
      return holder;
    });
  }

  private setComment(text: string): void {
    const node = this.tree.node(this.tree.at);
    const target = node ?? this.tree.data;
    const score = notedScore(target.comments);
    target.comments = text.trim() ? [text.trim()] : [];
    if (score) target.comments = withScore(target.comments, score);
    this.keep();
    this.renderTree();
  }

  private setGlyph(glyph: number): void {
    const node = this.tree.node(this.tree.at);
    if (!node) return;
    node.glyphs = glyph ? [glyph] : [];
    this.keep();
    this.renderTree();
  }

  // Games from and to text.

  private async import(): Promise<void> {
    const text = this.text.value.trim();
    if (!text) return;
    fill(this.picker);
    if (/^([1-8pnbrqk]+\/){7}[1-8pnbrqk]+\s+[wb]\b/i.test(text)) {
      this.open({ rules: this.tree.data.rules, start: text, moves: [] });
      return;
    }
    try {
      const { games, errors } = await this.link.ask('imported', {
        import: { pgn: text, rules: this.tree.data.rules },
      });
      const [first] = games;
      if (first) this.openSheet(first);
      if (games.length > 1) {
        fill(
          this.picker,
          select(
            'Game',
            games.map((game, index) => [String(index), gameName(game, index)]),
            '0',
            value => {
              const game = games[Number(value)];
              if (game) this.openSheet(game);
            },
          ).row,
        );
      }
      if (errors.length > 0) {
        this.picker.append(h('ul', { class: 'wrong', role: 'alert' }, ...errors.map(error => h('li', {}, error))));
      } else toast(games.length === 1 ? 'The game is read' : `${games.length} games are read`);
    } catch (error) {
      toast(words(error), 'error');
    }
  }

  private async export(form: 'series' | 'null-moves'): Promise<void> {
    const { rules, start, tags, comments, result } = this.tree.data;
    try {
      const { pgn } = await this.link.ask('exported', {
        export: { rules, start, tags, comments, moves: this.tree.moves(), result, form },
      });
      this.text.value = pgn;
      this.text.focus();
      this.text.select();
    } catch (error) {
      toast(words(error), 'error');
    }
  }

  /** Notes a score after every series of the main line. */
  private async annotate(): Promise<void> {
    if (this.annotating) {
      this.annotating = false;
      return;
    }
    const { tree } = this;
    const line = tree.main();
    const ends = line.filter((node, index) => {
      const next = line[index + 1];
      return next === undefined || tree.node(next)?.turn !== tree.node(node)?.turn;
    });
    if (ends.length === 0) return;
    this.annotating = true;
    this.analyse();
    for (const [index, end] of ends.entries()) {
      this.annotateButton.textContent = `Stop (${index + 1} of ${ends.length})`;
      const score = await this.scoreAt(tree.game(end));
      const node = tree.node(end);
      if (!this.annotating || tree !== this.tree) break;
      if (node && score) node.comments = withScore(node.comments, score);
      this.keep();
      this.renderTree();
    }
    this.annotating = false;
    this.annotateButton.textContent = 'Annotate with scores';
    void this.refresh();
  }

  /** The engine's score of a position after a short look; none where the game is over. */
  private scoreAt(game: GameText): Promise<string | null> {
    return new Promise(resolve => {
      let score: string | null = null;
      const stop = this.link.listen(
        { analyse: { game, engine: this.engine, lines: 1, threat: false, time: ANNOTATE_TIME } },
        reply => {
          if (reply.is === 'lines' && reply.rank === 1) {
            score = /M/.test(reply.score)
              ? `#${reply.score.replace('+', '').replace('M', '')}`
              : reply.score.replace('+', '');
          } else if (reply.is === 'stopped' || reply.is === 'error') {
            stop();
            resolve(score);
          }
        },
      );
    });
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
        this.goTo(this.tree.main().at(-1) ?? ROOT);
        return true;
      case 'Escape':
        if (!this.preview) return false;
        this.endPreview();
        return true;
      case ' ':
        if (event.target instanceof HTMLButtonElement) return false;
        this.setRunning(!this.running);
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

function gameName(sheet: Sheet, index: number): string {
  const tag = (name: string): string => sheet.tags.find(([other]) => other === name)?.[1] ?? '?';
  return `${index + 1}. ${tag('White')} – ${tag('Black')} ${sheet.result}`;
}
