// What all pages show of a series: whose it is, how far it has come, what follows; and the list of
// moves with a row for each series.

import { fill, h } from './dom.js';
import type { MoveView, Side, TurnView, View } from './messages.js';

export function sideName(side: Side): string {
  return side === 'white' ? 'White' : 'Black';
}

function moves(count: number): string {
  return count === 1 ? '1 move' : `${count} moves`;
}

/** What checks do, where it matters now. */
function checkNote(view: View, pending: TurnView | null): string {
  if (view.over || pending || view.left < 2) return '';
  if (view.checks === 'last') return 'check only with the last move';
  return view.checks === 'ends' ? 'a check ends the series' : '';
}

function quietNote(view: View): string {
  const [quiet, limit] = view.quiet;
  return quiet > 0 && limit > 0 && !view.over ? `${quiet} of ${limit} quiet series` : '';
}

/** Where the series stands, as pips and words. `pending` is a whole series not yet sent. */
export function seriesBar(view: View, pending: TurnView | null): HTMLElement {
  const side = pending ? pending.side : view.side;
  const length = pending ? pending.length : view.length;
  const done = pending ? pending.moves.length : view.length - view.left;
  const pips = h('span', { class: 'pips', 'aria-hidden': 'true' });
  if (length <= 20) {
    for (let index = 0; index < length; index++) {
      pips.append(h('i', { class: index < done ? 'done' : index === done && !pending ? 'next' : '' }));
    }
  }
  const now = view.over
    ? view.over.text
    : pending
      ? `${sideName(side)}’s series is complete`
      : view.left === view.length
        ? `${sideName(side)} plays ${moves(view.length)}`
        : `${sideName(side)}: ${view.length - view.left} of ${view.length} played, ${moves(view.left)} left`;
  const next = view.over
    ? ''
    : pending
      ? `then ${sideName(view.side)} plays ${moves(view.length)}`
      : `then ${sideName(view.side === 'white' ? 'black' : 'white')} plays ${moves(view.nextLength)}`;
  return h(
    'div',
    { class: 'series-state' },
    h('span', { class: `dot ${side}`, 'aria-hidden': 'true' }),
    h('span', { class: 'now', role: 'status' }, now),
    pips,
    h('span', { class: 'then' }, [next, checkNote(view, pending), quietNote(view)].filter(Boolean).join(' · ')),
  );
}

/** The moves of all turns, flat. */
export function flat(turns: TurnView[]): MoveView[] {
  return turns.flatMap(turn => turn.moves);
}

/**
 * The move list: one row for each series. `at` is the number of moves up to the position shown,
 * `sent` how many moves are final; later ones are marked.
 */
export function moveRows(
  list: HTMLElement,
  turns: TurnView[],
  at: number,
  sent: number,
  onpick: (at: number) => void,
): void {
  let index = 0;
  const rows = turns.map(turn => {
    const cells = turn.moves.map(move => {
      const here = ++index;
      return h(
        'button',
        {
          type: 'button',
          class: `move${here === at ? ' at' : ''}${here > sent ? ' pending' : ''}`,
          'aria-current': here === at ? 'true' : null,
          onclick: () => onpick(here),
        },
        move.san,
      );
    });
    return h(
      'li',
      { class: turn.side },
      h('span', { class: 'number' }, `${turn.turn}.`),
      h('span', { class: `dot ${turn.side}`, 'aria-label': sideName(turn.side), role: 'img' }),
      h('span', { class: 'moves' }, ...cells),
    );
  });
  fill(list, ...rows);
  list.querySelector('.at')?.scrollIntoView({ block: 'nearest' });
}
