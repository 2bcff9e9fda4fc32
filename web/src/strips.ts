// The strips above and below the board: who plays, whose turn it is, and the clocks.

import { clockText } from './clock.js';
import { fill, h } from './dom.js';
import type { Side } from './messages.js';
import type { State } from './new-game.js';
import { sideName } from './series.js';

/** A clock that shows less is marked, milliseconds. */
const LOW = 20_000;

export class Strips {
  readonly above = h('div', { class: 'strip' });
  readonly below = h('div', { class: 'strip' });
  private readonly clocks: Record<Side, HTMLElement> = {
    white: h('span', { class: 'clock', role: 'timer' }),
    black: h('span', { class: 'clock', role: 'timer' }),
  };

  /**
   * @param names the players.
   * @param onTurn the side to be marked as on turn, if any.
   * @param thinking the side whose engine thinks, if any.
   */
  show(state: State, names: Record<Side, string>, onTurn: Side | null, thinking: Side | null): void {
    const bottom = state.orientation;
    const places: [Side, HTMLElement][] = [
      [bottom === 'white' ? 'black' : 'white', this.above],
      [bottom, this.below],
    ];
    for (const [side, strip] of places) {
      fill(
        strip,
        h('span', { class: `dot ${side}`, 'aria-label': sideName(side), role: 'img' }),
        h('span', { class: 'name' }, names[side]),
        side === thinking && h('span', { class: 'thinking' }, 'thinking …'),
        this.clocks[side],
      );
      strip.classList.toggle('on-turn', side === onTurn);
    }
    this.showClocks(state);
  }

  showClocks(state: State): void {
    for (const side of ['white', 'black'] as const) {
      const element = this.clocks[side];
      element.hidden = !state.clock;
      const left = state.left[side];
      const text = clockText(left);
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle('low', left < LOW);
    }
  }
}
