import type { Link } from './link.js';
import { h } from './dom.js';
import type { GameText, Hello, Side } from './messages.js';
export class AnalysePage {
  readonly element = h('section', {}, 'soon');
  constructor(_link: Link, _hello: Hello, _onPlay: (game: GameText, side: Side) => void) {}
  show(): void {}
  online(): void {}
  onKey(): boolean { return false; }
  open(_game: GameText): void {}
}
