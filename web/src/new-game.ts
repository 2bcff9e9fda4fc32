// The form for a new game: rules, players, clock, start. What was wished is kept for the next one.

import { fill, h, select } from './dom.js';
import type { Hello, Side } from './messages.js';
import { readRules, rulesForm, rulesText } from './rules-form.js';
import { sideName } from './series.js';
import { load, save } from './store.js';

export interface Player {
  engine: number | null;
  level: number;
}

export interface Clock {
  minutes: number;
  increment: number;
}

export interface State {
  rules: string;
  start: string;
  moves: string[];
  /** How many of the moves are final; the others can be taken back one by one. */
  sent: number;
  players: Record<Side, Player>;
  /** What the chances of the engines' lower levels depend on. */
  seed?: number;
  clock: Clock | null;
  left: Record<Side, number>;
  paused: boolean;
  /** An end that the board does not show: resignation, time. */
  ended: { result: string; text: string } | null;
  orientation: Side;
}

interface Wishes {
  rules: string;
  start: 'standard' | 'random' | 'number';
  number: number;
  side: Side | 'random' | 'both' | 'none';
  engines: Record<Side, number>;
  levels: Record<Side, number>;
  clock: string;
}

const CLOCKS: [string, string][] = [
  ['', 'no clock'],
  ['3+5', '3 min + 5 s a series'],
  ['5+10', '5 min + 10 s a series'],
  ['10+15', '10 min + 15 s a series'],
  ['15+30', '15 min + 30 s a series'],
  ['30+60', '30 min + 60 s a series'],
];

export class NewGame {
  readonly element = h('form', { class: 'setup' });
  readonly wishes = load<Wishes>('wishes', {
    rules: 'italian',
    start: 'standard',
    number: 518,
    side: 'white',
    engines: { white: 0, black: 0 },
    levels: { white: 2, black: 2 },
    clock: '',
  });

  constructor(
    private readonly hello: Hello,
    onStart: () => void,
  ) {
    this.fill();
    this.element.onsubmit = event => {
      event.preventDefault();
      onStart();
    };
  }

  private fill(): void {
    const wishes = this.wishes;
    const choice = readRules(wishes.rules);
    const keep = (): void => save('wishes', wishes);
    const seats = h('div', {});
    const fillSeats = (): void => {
      const sides: Side[] =
        wishes.side === 'both'
          ? []
          : wishes.side === 'none'
            ? ['white', 'black']
            : [wishes.side === 'black' ? 'white' : 'black'];
      fill(
        seats,
        ...sides.flatMap(side => {
          const name = sides.length > 1 ? `${sideName(side)}: ` : '';
          return [
            this.hello.engines.length > 1 &&
              select(
                `${name}Engine`,
                this.hello.engines.map((engine, index) => [String(index), engine]),
                String(wishes.engines[side]),
                value => {
                  wishes.engines[side] = Number(value);
                  keep();
                },
              ).row,
            select(
              `${name}Level`,
              this.hello.levels.map((level, index) => [String(index), level]),
              String(wishes.levels[side]),
              value => {
                wishes.levels[side] = Number(value);
                keep();
              },
              { id: `level-${side}` },
            ).row,
          ];
        }),
      );
    };
    fillSeats();
    const number = h('input', {
      type: 'number',
      min: 0,
      max: 959,
      'aria-label': 'Number of the Chess960 array',
      onchange: () => {
        wishes.number = Math.max(0, Math.min(959, Math.floor(Number(number.value)) || 0));
        keep();
      },
    });
    number.value = String(wishes.number);
    number.hidden = wishes.start !== 'number';
    fill(
      this.element,
      rulesForm(this.hello, choice, () => {
        wishes.rules = rulesText(choice);
        keep();
      }),
      select(
        'You play',
        [
          ['white', 'White'],
          ['black', 'Black'],
          ['random', 'either, at random'],
          ['both', 'both sides'],
          ['none', 'nobody: engine against engine'],
        ],
        wishes.side,
        value => {
          wishes.side = value as Wishes['side'];
          keep();
          fillSeats();
        },
        { id: 'you-play' },
      ).row,
      seats,
      select('Clock', CLOCKS, wishes.clock, value => {
        wishes.clock = value;
        keep();
      }).row,
      select(
        'Start',
        [
          ['standard', 'the usual array'],
          ['random', 'a random Chess960 array'],
          ['number', 'Chess960 array number'],
        ],
        wishes.start,
        value => {
          wishes.start = value as Wishes['start'];
          number.hidden = value !== 'number';
          keep();
        },
      ).row,
      number,
      h('button', { type: 'submit', class: 'primary' }, 'Start the game'),
    );
  }

  /** A game as wished. */
  state(): State {
    const wishes = this.wishes;
    const number = wishes.start === 'random' ? Math.floor(Math.random() * 960) : wishes.number;
    const mine =
      wishes.side === 'random' ? (Math.random() < 0.5 ? 'white' : 'black') : wishes.side;
    const player = (side: Side): Player => ({
      engine: mine === 'both' || mine === side ? null : wishes.engines[side],
      level: wishes.levels[side],
    });
    const [minutes, increment] = wishes.clock.split('+').map(Number);
    const clock =
      wishes.clock && minutes ? { minutes, increment: increment ?? 0 } : null;
    const time = clock ? clock.minutes * 60_000 : 0;
    return {
      rules: wishes.rules,
      start: wishes.start === 'standard' ? 'startpos' : `startpos960 ${number}`,
      moves: [],
      sent: 0,
      players: { white: player('white'), black: player('black') },
      seed: Math.floor(Math.random() * 2 ** 31),
      clock,
      left: { white: time, black: time },
      paused: false,
      ended: null,
      orientation: mine === 'black' ? 'black' : 'white',
    };
  }
}
