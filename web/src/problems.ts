import type { Link } from './link.js';
import { h } from './dom.js';
import type { GameText } from './messages.js';
export class ProblemsPage {
  readonly element = h('section', {}, 'soon');
  constructor(_link: Link, _onAnalyse: (game: GameText) => void) {}
  show(): void {}
  online(): void {}
  onKey(): boolean { return false; }
}
