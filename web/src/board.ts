// The board: chessground with numbered arrows, refused squares, promotion, and a keyboard cursor.

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key, Piece, Role } from '@lichess-org/chessground/types';
import { announce, button, fill, h } from './dom.js';
import type { MoveView, Side, View } from './messages.js';

export interface Arrow {
  from: string;
  to: string;
  label?: string;
  brush: 'green' | 'blue' | 'red' | 'yellow' | 'paleBlue' | 'paleGrey';
}

export interface Scene {
  board: string;
  orientation: Side;
  turn: Side;
  /** The side that may be moved; none where the board only shows. */
  movable: Side | null;
  /** Where its men can go, and why not elsewhere. */
  view: Pick<View, 'targets' | 'promotions' | 'refused'> | null;
  lastMove: [string, string] | null;
  check: string | null;
  arrows: Arrow[];
}

const ROLE_LETTERS: Record<string, Role> = {
  p: 'pawn',
  n: 'knight',
  b: 'bishop',
  r: 'rook',
  q: 'queen',
  k: 'king',
};

const FILES = 'abcdefgh';

/** Numbered arrows for the moves of a series. */
export function seriesArrows(moves: MoveView[], brush: Arrow['brush']): Arrow[] {
  return moves.map((move, index) => ({
    from: move.from,
    to: move.to,
    brush,
    ...(moves.length > 1 ? { label: String(index + 1) } : {}),
  }));
}

export class Board {
  readonly element: HTMLElement;
  private readonly surface: HTMLElement;
  private readonly chooser: HTMLElement;
  private readonly ground: Api;
  private scene: Scene | null = null;
  private cursor: Key | null = null;
  private pressed: Key | null = null;
  private waiting = false;

  /**
   * @param onMove a move that is allowed.
   * @param onHint words about a man or a square, empty to clear them.
   * @param onRefused a move that was tried and is not allowed.
   */
  constructor(
    label: string,
    private readonly onMove: (uci: string) => void,
    private readonly onHint: (text: string) => void,
    private readonly onRefused: (uci: string) => void,
  ) {
    this.surface = h('div', { class: 'surface' });
    this.chooser = h('div', { class: 'chooser', hidden: true, role: 'dialog', 'aria-label': 'Promote to' });
    this.element = h(
      'div',
      {
        class: 'board',
        tabindex: '0',
        role: 'application',
        'aria-label': `${label}. Arrow keys move over the squares, Enter chooses a man and its square, Escape lets go.`,
        onkeydown: (event: KeyboardEvent) => this.onKey(event),
        onblur: () => this.setCursor(null),
      },
      this.surface,
      this.chooser,
    );
    this.ground = Chessground(this.surface, {
      coordinates: true,
      addPieceZIndex: false,
      animation: {
        enabled: !matchMedia('(prefers-reduced-motion: reduce)').matches,
        duration: 220,
      },
      highlight: { lastMove: true, check: true },
      premovable: { enabled: false },
      movable: {
        free: false,
        showDests: true,
        rookCastle: true,
        events: { after: (from, to) => this.moved(from, to) },
      },
      draggable: { showGhost: true },
      events: { select: () => setTimeout(() => this.onSelected()) },
      drawable: { enabled: true, brushes: BRUSHES },
    });
    // The board itself says nothing of moves that it does not allow, so look where they were tried.
    this.surface.addEventListener('pointerdown', event => this.onPointer(event, 'down'));
    this.surface.addEventListener('pointerup', event => this.onPointer(event, 'up'));
    new ResizeObserver(() => this.redraw()).observe(this.surface);
  }

  /** To be called when the board becomes visible. */
  redraw(): void {
    if (this.surface.clientWidth === 0) return;
    this.ground.redrawAll();
    if (this.waiting && this.scene) this.show(this.scene);
  }

  show(scene: Scene): void {
    const before = this.scene;
    this.scene = scene;
    if (before && !this.waiting && differsInArrows(before, scene)) {
      // An engine's new arrows must not disturb who is just choosing or dragging a man.
      this.ground.setAutoShapes(scene.arrows.map(shape));
      return;
    }
    this.closeChooser();
    // For people's own scripts, and for tests: what is shown, and who may move.
    Object.assign(this.element.dataset, {
      placement: scene.board,
      movable: scene.movable ?? '',
      orientation: scene.orientation,
    });
    // What has no size yet cannot be drawn.
    this.waiting = this.surface.clientWidth === 0;
    if (this.waiting) return;
    if (!before || before.board !== scene.board) this.ground.selectSquare(null);
    this.ground.set({
      fen: scene.board,
      orientation: scene.orientation,
      turnColor: scene.turn,
      lastMove: scene.lastMove ? (scene.lastMove as Key[]) : undefined,
      check: false,
      movable: {
        color: scene.movable ?? undefined,
        dests: new Map(Object.entries(scene.view?.targets ?? {})) as Map<Key, Key[]>,
      },
    });
    const king = scene.check && this.ground.state.pieces.get(scene.check as Key);
    if (king) this.ground.set({ check: king.color });
    this.ground.setAutoShapes(scene.arrows.map(shape));
    this.mark();
  }

  private pieceAt(key: string): Piece | undefined {
    return this.ground.state.pieces.get(key as Key);
  }

  private targetsOf(from: string): string[] {
    return this.scene?.view?.targets[from] ?? [];
  }

  private onPointer(event: PointerEvent, what: 'down' | 'up'): void {
    const key = this.ground.getKeyAtDomPos([event.clientX, event.clientY]);
    const scene = this.scene;
    // The right button draws.
    if (!key || !scene?.movable || event.button !== 0) return;
    if (what === 'down') {
      // A click on a second square, while a man is chosen.
      const selected = this.ground.state.selected;
      if (selected && selected !== key) this.tried(selected, key);
      this.pressed = this.pieceAt(key)?.color === scene.movable ? key : null;
    } else {
      if (this.pressed && this.pressed !== key) this.tried(this.pressed, key);
      this.pressed = null;
    }
  }

  private tried(from: Key, to: Key): void {
    const scene = this.scene;
    if (!scene?.movable || this.pieceAt(from)?.color !== scene.movable) return;
    if (this.targetsOf(from).includes(to)) return;
    if (this.pieceAt(to)?.color === scene.movable) return;
    const reason = scene.view?.refused[from]?.[to];
    if (reason) this.onHint(`${from}–${to}: ${reason}`);
    else this.onRefused(from + to);
  }

  private onSelected(): void {
    const selected = this.ground.state.selected;
    const refused = selected && this.scene?.view?.refused[selected];
    this.mark();
    if (!refused) return;
    const reasons = new Map<string, string[]>();
    for (const [square, reason] of Object.entries(refused)) {
      reasons.set(reason, [...(reasons.get(reason) ?? []), square]);
    }
    this.onHint([...reasons].map(([reason, squares]) => `${squares.join(', ')}: ${reason}`).join('; '));
  }

  /** Marks the squares that the chosen man reaches but may not go to, and the cursor. */
  private mark(): void {
    const marks = new Map<Key, string>();
    const selected = this.ground.state.selected;
    if (selected && this.scene?.movable) {
      for (const square of Object.keys(this.scene.view?.refused[selected] ?? {})) {
        marks.set(square as Key, 'refused');
      }
    }
    if (this.cursor) {
      marks.set(this.cursor, `${marks.get(this.cursor) ?? ''} cursor`.trim());
    }
    this.ground.set({ highlight: { custom: marks } });
  }

  private moved(from: string, to: string): void {
    const roles = this.scene?.view?.promotions[from + to];
    if (roles) this.choose(from, to, roles);
    else this.onMove(from + to);
  }

  private choose(from: string, to: string, roles: string[]): void {
    const scene = this.scene;
    if (!scene) return;
    const order = ['q', 'n', 'r', 'b', 'k'].filter(role => roles.includes(role));
    const column = FILES.indexOf(to[0] ?? 'a');
    const left = scene.orientation === 'white' ? column : 7 - column;
    const atTop = (to[1] === '8') === (scene.orientation === 'white');
    const letGo = (): void => {
      this.scene = null;
      this.show(scene);
      this.element.focus();
    };
    fill(
      this.chooser,
      ...order.map(role => {
        const name = ROLE_LETTERS[role] ?? 'queen';
        return h(
          'button',
          {
            type: 'button',
            title: name,
            'aria-label': name,
            onclick: () => {
              // A keyboard's place is the board again.
              this.element.focus({ preventScroll: true });
              this.closeChooser();
              this.onMove(from + to + role);
            },
          },
          figure(name, scene.turn),
        );
      }),
      button('×', letGo, { 'aria-label': 'Take the move back', class: 'cancel' }),
    );
    this.chooser.style.left = `${left * 12.5}%`;
    this.chooser.style.top = atTop ? '0' : 'auto';
    this.chooser.style.bottom = atTop ? 'auto' : '0';
    this.chooser.hidden = false;
    this.chooser.onkeydown = event => {
      if (event.key === 'Escape') letGo();
      event.stopPropagation();
    };
    this.chooser.querySelector('button')?.focus();
  }

  private closeChooser(): void {
    this.chooser.hidden = true;
  }

  private setCursor(key: Key | null): void {
    if (key === this.cursor) return;
    this.cursor = key;
    this.mark();
    if (key) announce(this.describe(key));
  }

  private describe(key: Key): string {
    const piece = this.pieceAt(key);
    const scene = this.scene;
    const selected = this.ground.state.selected;
    const parts = [key, piece ? `${piece.color} ${piece.role}` : 'empty'];
    if (selected && selected !== key && scene?.movable) {
      if (this.targetsOf(selected).includes(key)) parts.push('can go here');
      const reason = scene.view?.refused[selected]?.[key];
      if (reason) parts.push(`refused: ${reason}`);
    } else if (piece && piece.color === scene?.movable) {
      const count = this.targetsOf(key).length;
      parts.push(count === 1 ? '1 move' : `${count} moves`);
    }
    return parts.join(', ');
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const scene = this.scene;
    if (!scene) return;
    const white = scene.orientation === 'white';
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    };
    const step = steps[event.key];
    if (step) {
      const sign = white ? 1 : -1;
      const from = this.cursor ?? ((white ? 'e2' : 'e7') as Key);
      const at = (value: number): number => Math.max(0, Math.min(7, value));
      const file = at(FILES.indexOf(from[0] ?? 'e') + sign * step[0]);
      const rank = at(Number(from[1]) - 1 + sign * step[1]);
      const first = this.cursor === null;
      this.setCursor((first ? from : `${FILES[file]}${rank + 1}`) as Key);
    } else if ((event.key === 'Enter' || event.key === ' ') && this.cursor) {
      this.pick(this.cursor);
    } else if (event.key === 'Escape' && (this.cursor || this.ground.state.selected)) {
      this.ground.selectSquare(null);
      this.setCursor(null);
      this.mark();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Enter on a square: chooses the man there, or moves the chosen one. */
  private pick(key: Key): void {
    const scene = this.scene;
    if (!scene?.movable) return;
    const selected = this.ground.state.selected;
    if (selected && selected !== key) {
      if (this.targetsOf(selected).includes(key)) {
        this.ground.selectSquare(null);
        this.moved(selected, key);
        return;
      }
      this.tried(selected, key);
    }
    if (this.pieceAt(key)?.color === scene.movable && selected !== key) {
      this.ground.selectSquare(key, true);
      announce(`${this.describe(key)}, chosen`);
    } else {
      this.ground.selectSquare(null);
    }
    this.mark();
  }
}

/** Whether two scenes differ in their arrows at most. */
function differsInArrows(one: Scene, other: Scene): boolean {
  return (
    one.board === other.board &&
    one.orientation === other.orientation &&
    one.turn === other.turn &&
    one.movable === other.movable &&
    one.view === other.view &&
    one.check === other.check &&
    String(one.lastMove) === String(other.lastMove)
  );
}

const BRUSHES = {
  green: { key: 'g', color: '#15781B', opacity: 0.9, lineWidth: 9 },
  red: { key: 'r', color: '#b3261e', opacity: 0.85, lineWidth: 9 },
  blue: { key: 'b', color: '#1f5fa8', opacity: 0.85, lineWidth: 9 },
  yellow: { key: 'y', color: '#d99100', opacity: 0.9, lineWidth: 9 },
  paleBlue: { key: 'pb', color: '#1f5fa8', opacity: 0.4, lineWidth: 8 },
  paleGrey: { key: 'pgr', color: '#4a4a4a', opacity: 0.4, lineWidth: 8 },
};

/** A man as the board's style sheet draws it. */
export function figure(role: Role, side: Side): HTMLElement {
  const piece = document.createElement('piece');
  piece.className = `${role} ${side}`;
  return h('span', { class: 'figure cg-wrap' }, piece);
}

function shape(arrow: Arrow): DrawShape {
  return {
    orig: arrow.from as Key,
    dest: arrow.to as Key,
    brush: arrow.brush,
    ...(arrow.label ? { label: { text: arrow.label, fill: BRUSHES[arrow.brush].color } } : {}),
  };
}

/** A small board that only shows. */
export class MiniBoard {
  readonly element = h('div', { class: 'mini', 'aria-hidden': 'true' });
  private ground: Api | null = null;

  show(board: string, lastMove: [string, string] | null): void {
    const config = { fen: board, lastMove: lastMove ? (lastMove as Key[]) : undefined };
    if (this.ground) this.ground.set(config);
    else {
      this.ground = Chessground(this.element, {
        ...config,
        viewOnly: true,
        coordinates: false,
        drawable: { enabled: false, visible: false },
      });
    }
  }
}
