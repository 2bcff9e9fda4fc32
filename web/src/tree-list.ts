// The moves of a tree: a row for each series, variations under the row they leave.

import { fill, h } from './dom.js';
import { ROOT, glyphSign, notedScore, plainComments, type Tree } from './tree.js';

export class TreeList {
  readonly element = h('div', {
    class: 'rows tree',
    role: 'group',
    'aria-label': 'Moves, one row for each series',
  });

  constructor(private readonly onpick: (node: number) => void) {}

  show(tree: Tree): void {
    const intro = plainComments(tree.data.comments);
    const [first, ...others] = tree.children(ROOT);
    const rows = h('ol', {});
    if (first !== undefined) this.line(tree, first, others, rows);
    fill(
      this.element,
      intro && h('p', { class: 'comment' }, intro),
      first === undefined && h('p', { class: 'hint' }, 'Move on the board, or read a game below.'),
      rows,
      tree.data.result !== '*' && h('p', { class: 'hint' }, tree.data.result),
    );
    this.element.querySelector('.at')?.scrollIntoView({ block: 'nearest' });
  }

  /** Adds the line that begins with `start`; `others` are the moves that could stand in its place. */
  private line(tree: Tree, start: number, others: number[], rows: HTMLElement): void {
    let next: number | undefined = start;
    let beside = others;
    while (next !== undefined) {
      const turn = tree.node(next)?.turn;
      const cells: HTMLElement[] = [];
      const below: HTMLElement[] = [];
      const notes: string[] = [];
      for (let node = tree.node(next); node && node.turn === turn; ) {
        const here: number = next as number;
        cells.push(this.move(tree, here));
        const score = notedScore(node.comments);
        if (score) cells.push(h('span', { class: 'noted' }, score));
        notes.push(plainComments(node.comments));
        for (const other of beside) {
          const variation = h('ol', { class: 'variation' });
          this.line(tree, other, [], variation);
          below.push(variation);
        }
        [next, ...beside] = tree.children(here);
        node = next === undefined ? null : tree.node(next);
      }
      const note = notes.filter(Boolean).join(' ');
      rows.append(
        h(
          'li',
          {},
          h('span', { class: 'number' }, turn ? `${turn}.` : ''),
          h('span', { class: 'moves' }, ...cells),
          note && h('p', { class: 'comment' }, note),
          ...below,
        ),
      );
    }
  }

  private move(tree: Tree, index: number): HTMLElement {
    const node = tree.node(index);
    const at = index === tree.at;
    return h(
      'button',
      {
        type: 'button',
        class: `move${at ? ' at' : ''}`,
        'aria-current': at ? 'true' : null,
        onclick: () => this.onpick(index),
      },
      `${node?.san ?? ''}${(node?.glyphs ?? []).map(glyphSign).join('')}`,
    );
  }
}
