import type { Link } from './link.js';
import { h } from './dom.js';
import type { GameText, Hello } from './messages.js';
export class WatchPage {
  readonly element = h('section', {}, 'soon');
  constructor(_link: Link, _hello: Hello, _onAnalyse: (game: GameText) => void) {}
  show(): void {}
  online(): void {}
  onKey(): boolean { return false; }
}
