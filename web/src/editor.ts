// Setting up a position: men are put and taken freely; the server says whether it can stand.

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Key, Piece, Role } from '@lichess-org/chessground/types';
import { figure } from './board.js';
import { button, fill, h, select, words } from './dom.js';
import type { Link } from './link.js';
import type { Hello, View } from './messages.js';
import { readRules, rulesForm, rulesText } from './rules-form.js';

const ROLES: Role[] = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'];
const CASTLING: [string, string][] = [
  ['K', 'White O-O'],
  ['Q', 'White O-O-O'],
  ['k', 'Black O-O'],
  ['q', 'Black O-O-O'],
];

export class Editor {
  readonly element: HTMLElement;
  private readonly surface = h('div', { class: 'surface' });
  private readonly ground: Api;
  private rules = 'italian';
  private side = 'w';
  private turn = 1;
  private castling = 'KQkq';
  /** What is put on a square that is clicked. */
  private hand: Piece | 'none' | null = null;
  private asked = 0;

  private readonly fen = h('input', {
    type: 'text',
    class: 'wide',
    'aria-label': 'Series FEN',
    spellcheck: 'false',
    onchange: () => this.setFen(this.fen.value),
  });
  private readonly message = h('p', { class: 'hint', role: 'status' });
  private readonly done = button('Analyse this position', () => this.finish(), { class: 'primary' });
  private readonly form = h('div', {});
  private readonly palette = h('div', { class: 'palette', role: 'group', 'aria-label': 'Men to put' });

  constructor(
    private readonly link: Link,
    private readonly hello: Hello,
    private readonly onDone: (rules: string, fen: string) => void,
    onCancel: () => void,
  ) {
    this.ground = Chessground(this.surface, {
      movable: { free: true, color: 'both' },
      draggable: { deleteOnDropOff: true },
      selectable: { enabled: false },
      animation: { enabled: false },
      premovable: { enabled: false },
      drawable: { enabled: false },
      highlight: { lastMove: false },
      events: { change: () => this.changed() },
    });
    this.element = h(
      'div',
      { class: 'editor' },
      h('div', { class: 'board' }, this.surface),
      this.palette,
      h(
        'div',
        { class: 'actions' },
        button('Empty board', () => this.setPlacement('8/8/8/8/8/8/8/8')),
        button('Start array', () => this.setFen('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1')),
        button('Turn the board', () => this.ground.toggleOrientation()),
      ),
      this.form,
      h('label', { class: 'stack' }, h('span', {}, 'Series FEN'), this.fen),
      this.message,
      h('div', { class: 'actions' }, this.done, button('Cancel', onCancel)),
    );
    // A click puts the chosen man; a drag moves what stands there.
    const keyAt = (event: PointerEvent): Key | undefined =>
      this.ground.getKeyAtDomPos([event.clientX, event.clientY]);
    let pressed: Key | undefined;
    this.surface.addEventListener('pointerdown', event => (pressed = keyAt(event)));
    this.surface.addEventListener('pointerup', event => {
      const key = keyAt(event);
      if (key && key === pressed) setTimeout(() => this.put(key));
    });
    this.fillPalette();
  }

  open(rules: string, fen: string): void {
    this.rules = rules;
    this.hand = null;
    this.fillPalette();
    this.setFen(fen);
    this.ground.redrawAll();
  }

  private fillPalette(): void {
    const choose = (hand: Piece | 'none' | null): void => {
      this.hand = hand;
      this.fillPalette();
    };
    const same = (color: string, role: string): boolean =>
      this.hand !== null && this.hand !== 'none' && this.hand.color === color && this.hand.role === role;
    const men = (['white', 'black'] as const).flatMap(color =>
      ROLES.map(role => {
        const item = h(
          'button',
          {
            type: 'button',
            'aria-label': `${color} ${role}`,
            'aria-pressed': same(color, role),
            title: `${color} ${role}: drag it, or choose it and click squares`,
            onclick: () => choose(same(color, role) ? null : { color, role }),
          },
          figure(role, color),
        );
        item.addEventListener('pointerdown', event => {
          if (event.pointerType === 'mouse') {
            this.ground.dragNewPiece({ color, role }, event as unknown as MouseEvent & TouchEvent, true);
          }
        });
        return item;
      }),
    );
    fill(
      this.palette,
      ...men,
      button('Take off', () => choose(this.hand === 'none' ? null : 'none'), {
        'aria-pressed': this.hand === 'none',
        class: 'take-off',
      }),
    );
  }

  private put(key: Key): void {
    if (this.hand === null) return;
    const piece = this.hand === 'none' ? undefined : this.hand;
    this.ground.setPieces(new Map([[key, piece]]));
    this.changed();
  }

  private setPlacement(placement: string): void {
    this.ground.set({ fen: placement });
    this.changed();
  }

  /** Takes a FEN over as far as it has the fields; what it means the server says. */
  private setFen(text: string): void {
    const fields = text.trim().split(/\s+/);
    this.ground.set({ fen: fields[0] ?? '' });
    this.side = fields[1] ?? 'w';
    this.castling = fields[2] ?? '-';
    this.turn = Math.max(1, Number(fields[5] ?? 1) || 1);
    this.fillForm();
    this.fen.value = text.trim();
    void this.ask();
  }

  private changed(): void {
    this.fen.value = `${this.ground.getFen()} ${this.side} ${this.castling} - 0 ${this.turn}`;
    void this.ask();
  }

  private fillForm(): void {
    const choice = readRules(this.rules);
    const turn = h('input', {
      type: 'number',
      min: 1,
      max: 999,
      onchange: () => {
        this.turn = Math.max(1, Math.floor(Number(turn.value)) || 1);
        this.changed();
      },
    });
    turn.value = String(this.turn);
    const rights = CASTLING.map(([letter, name]) => {
      const box = h('input', {
        type: 'checkbox',
        onchange: () => {
          const chosen = CASTLING.map(([letter]) => letter).filter(other =>
            other === letter ? box.checked : this.castling.includes(other),
          );
          this.castling = chosen.join('') || '-';
          this.changed();
        },
      });
      box.checked = this.castling.includes(letter);
      return h('label', { class: 'check' }, box, h('span', {}, name));
    });
    fill(
      this.form,
      rulesForm(this.hello, choice, () => {
        this.rules = rulesText(choice);
        this.changed();
      }),
      select(
        'On turn',
        [
          ['w', 'White'],
          ['b', 'Black'],
        ],
        this.side,
        value => {
          this.side = value;
          this.changed();
        },
      ).row,
      h('label', { class: 'field' }, h('span', {}, 'Turn number'), turn),
      h('div', { class: 'rights' }, ...rights),
    );
  }

  private async ask(): Promise<void> {
    const asked = ++this.asked;
    const game = { rules: this.rules, start: this.fen.value, moves: [] };
    let view: View | null = null;
    let problem = '';
    try {
      view = await this.link.ask('view', { view: { game } });
    } catch (error) {
      problem = words(error);
    }
    if (asked !== this.asked) return;
    this.done.disabled = !view;
    this.message.classList.toggle('wrong', !view);
    this.message.textContent = view
      ? `${view.side === 'white' ? 'White' : 'Black'} plays ${view.left === 1 ? '1 move' : `${view.left} moves`}.`
      : problem;
  }

  private finish(): void {
    this.onDone(this.rules, this.fen.value.trim());
  }
}
