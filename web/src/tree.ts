// A game with its variations, kept as data. Legality is the server's business.

import type { GameText, Sheet, TreeMove, TurnView } from './messages.js';

export interface TreeNode {
  uci: string;
  san: string;
  turn: number;
  parent: number;
  children: number[];
  comments: string[];
  glyphs: number[];
}

/** The place before the first move. */
export const ROOT = -1;

export interface TreeData {
  rules: string;
  start: string;
  tags: [string, string][];
  comments: string[];
  result: string;
  first: number[];
  nodes: (TreeNode | null)[];
  at: number;
}

export class Tree {
  private constructor(readonly data: TreeData) {}

  static from(data: TreeData): Tree {
    return new Tree(data);
  }

  /** A tree of one line, with the place at its end. */
  static line(game: GameText): Tree {
    const tree = new Tree({
      rules: game.rules,
      start: game.start,
      tags: [],
      comments: [],
      result: '*',
      first: [],
      nodes: [],
      at: ROOT,
    });
    for (const uci of game.moves) tree.play(uci);
    return tree;
  }

  static sheet(sheet: Sheet): Tree {
    const tree = Tree.line({ rules: sheet.rules, start: sheet.start, moves: [] });
    Object.assign(tree.data, { tags: sheet.tags, comments: sheet.comments, result: sheet.result });
    for (const move of sheet.moves) {
      const { uci, san, turn, comments, glyphs } = move;
      tree.add(move.parent ?? ROOT, { uci, san, turn, comments, glyphs });
    }
    return tree;
  }

  get at(): number {
    return this.data.at;
  }

  node(index: number): TreeNode | null {
    return this.data.nodes[index] ?? null;
  }

  children(index: number): number[] {
    return index === ROOT ? this.data.first : (this.node(index)?.children ?? []);
  }

  private add(parent: number, move: Omit<TreeNode, 'parent' | 'children'>): number {
    const index = this.data.nodes.length;
    this.data.nodes.push({ ...move, parent, children: [] });
    this.children(parent).push(index);
    return index;
  }

  goTo(index: number): void {
    if (index === ROOT || this.node(index)) this.data.at = index;
  }

  /** Goes to a move after the present place, which is added if it is new. */
  play(uci: string): void {
    const known = this.children(this.at).find(child => this.node(child)?.uci === uci);
    this.data.at =
      known ?? this.add(this.at, { uci, san: uci, turn: 0, comments: [], glyphs: [] });
  }

  /** The moves from the start to a place. */
  path(index = this.at): number[] {
    const path = [];
    for (let node = index; node !== ROOT; node = this.node(node)?.parent ?? ROOT) path.push(node);
    return path.reverse();
  }

  /** The game up to a place. */
  game(index = this.at): GameText {
    return {
      rules: this.data.rules,
      start: this.data.start,
      moves: this.path(index).map(node => this.node(node)?.uci ?? ''),
    };
  }

  /** The main line. */
  main(): number[] {
    const line = [];
    let next = this.data.first[0];
    while (next !== undefined) {
      line.push(next);
      next = this.children(next)[0];
    }
    return line;
  }

  /** Takes over how the server writes the moves up to the present place. */
  name(turns: TurnView[]): void {
    const path = this.path();
    let index = 0;
    for (const turn of turns) {
      for (const move of turn.moves) {
        const node = this.node(path[index++] ?? ROOT);
        if (node) Object.assign(node, { san: move.san, turn: turn.turn, uci: move.uci });
      }
    }
  }

  /** Makes the line through a place the main line. */
  promote(index: number): void {
    for (const node of this.path(index)) {
      const siblings = this.children(this.node(node)?.parent ?? ROOT);
      siblings.splice(siblings.indexOf(node), 1);
      siblings.unshift(node);
    }
  }

  /** Removes a move with all that follows, and goes to the place before it. */
  remove(index: number): void {
    const node = this.node(index);
    if (!node) return;
    const siblings = this.children(node.parent);
    siblings.splice(siblings.indexOf(index), 1);
    this.data.at = node.parent;
    const drop = (index: number): void => {
      this.children(index).forEach(drop);
      this.data.nodes[index] = null;
    };
    drop(index);
  }

  /** The moves as a list in which each stands after the one it follows. */
  moves(): TreeMove[] {
    const places = new Map<number, number>([[ROOT, -1]]);
    const moves: TreeMove[] = [];
    const waiting = [...this.data.first];
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      const node = this.node(index);
      if (!node) continue;
      const parent = places.get(node.parent) ?? -1;
      places.set(index, moves.length);
      const { uci, comments, glyphs } = node;
      moves.push({ parent: parent < 0 ? null : parent, uci, comments, glyphs });
      waiting.push(...node.children);
    }
    return moves;
  }
}

const GLYPHS = ['', '!', '?', '!!', '??', '!?', '?!'];

/** The sign of a numeric glyph. */
export function glyphSign(glyph: number): string {
  return GLYPHS[glyph] ?? `$${glyph}`;
}

export const GLYPH_CHOICES: [string, string][] = GLYPHS.map((sign, glyph) => [
  String(glyph),
  sign || 'no sign',
]);

const SCORE = /\s*\[%eval ([^\]]*)\]/;

/** The score noted in comments. */
export function notedScore(comments: string[]): string | null {
  for (const comment of comments) {
    const score = SCORE.exec(comment)?.[1];
    if (score) return score;
  }
  return null;
}

/** Comments without the commands that programs write into them. */
export function plainComments(comments: string[]): string {
  return comments
    .map(comment => comment.replace(/\[%[^\]]*\]/g, '').trim())
    .filter(Boolean)
    .join(' ');
}

/** Comments with a new score in place of the old one. */
export function withScore(comments: string[], score: string): string[] {
  const others = comments.map(comment => comment.replace(SCORE, '').trim()).filter(Boolean);
  return [...others, `[%eval ${score}]`];
}
