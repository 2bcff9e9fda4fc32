// Games and positions as text: PGN in both forms, FEN.

import { button, copy, fill, h, select, toast, words } from './dom.js';
import type { Link } from './link.js';
import type { GameText, Sheet } from './messages.js';
import type { Tree } from './tree.js';

export class GameExchange {
  readonly element: HTMLElement;
  private readonly text = h('textarea', {
    rows: 5,
    'aria-label': 'PGN or series FEN',
    placeholder: 'paste PGN (series or null-move form) or a series FEN',
    spellcheck: 'false',
  });
  private readonly picker = h('div', {});

  /**
   * @param tree the tree that is written.
   * @param fen the position shown.
   */
  constructor(
    private readonly link: Link,
    private readonly tree: () => Tree,
    fen: () => string,
    private readonly onPosition: (game: GameText) => void,
    private readonly onSheet: (sheet: Sheet) => void,
  ) {
    const file = h('input', {
      type: 'file',
      accept: '.pgn,.txt',
      'aria-label': 'PGN file',
      onchange: async () => {
        const chosen = file.files?.[0];
        if (!chosen) return;
        this.text.value = await chosen.text();
        file.value = '';
        void this.read();
      },
    });
    this.element = h(
      'details',
      { class: 'panel import' },
      h('summary', {}, 'PGN and FEN'),
      this.text,
      h('div', { class: 'actions' }, button('Read it', () => void this.read(), { class: 'primary' }), file),
      this.picker,
      h(
        'div',
        { class: 'actions' },
        button('Write PGN', () => void this.write('series')),
        button('Write null-move PGN', () => void this.write('null-moves')),
        button('Copy FEN', () => void copy(fen(), 'The FEN')),
        button('Copy text', () => void copy(this.text.value, 'The text')),
      ),
    );
  }

  private async read(): Promise<void> {
    const text = this.text.value.trim();
    if (!text) return;
    fill(this.picker);
    const { rules } = this.tree().data;
    if (/^([1-8pnbrqk]+\/){7}[1-8pnbrqk]+\s+[wb]\b/i.test(text)) {
      await this.readPosition({ rules, start: text, moves: [] });
      return;
    }
    try {
      const { games, errors } = await this.link.ask('imported', { import: { pgn: text, rules } });
      const [first] = games;
      if (first) this.onSheet(first);
      if (games.length > 1) this.offer(games);
      if (errors.length > 0) this.showErrors(errors);
      else toast(games.length === 1 ? 'The game is read' : `${games.length} games are read`);
    } catch (error) {
      toast(words(error), 'error');
    }
  }

  /** Takes a position over if the rules know it; else what was there stays. */
  private async readPosition(game: GameText): Promise<void> {
    try {
      await this.link.ask('view', { view: { game } });
      this.onPosition(game);
    } catch (error) {
      this.showErrors([words(error)]);
    }
  }

  private showErrors(errors: string[]): void {
    this.picker.append(
      h('ul', { class: 'wrong', role: 'alert' }, ...errors.map(error => h('li', {}, error))),
    );
  }

  private offer(games: Sheet[]): void {
    const names = games.map((game, index): [string, string] => [String(index), gameName(game, index)]);
    const choice = select('Game', names, '0', value => {
      const game = games[Number(value)];
      if (game) this.onSheet(game);
    });
    fill(this.picker, choice.row);
  }

  private async write(form: 'series' | 'null-moves'): Promise<void> {
    const tree = this.tree();
    const { rules, start, tags, comments, result } = tree.data;
    try {
      const { pgn } = await this.link.ask('exported', {
        export: { rules, start, tags, comments, moves: tree.moves(), result, form },
      });
      this.text.value = pgn;
      this.text.focus();
      this.text.select();
    } catch (error) {
      toast(words(error), 'error');
    }
  }
}

function gameName(sheet: Sheet, index: number): string {
  const tag = (name: string): string => sheet.tags.find(([other]) => other === name)?.[1] ?? '?';
  return `${index + 1}. ${tag('White')} – ${tag('Black')} ${sheet.result}`;
}
