// Moves as people type them: the field, and the question what they mean here.

import { h, words } from './dom.js';
import type { Link } from './link.js';
import type { GameText } from './messages.js';

/** Reads moves of the current series, UCI text or SAN: the moves, or why they are not allowed. */
export async function readMoves(
  link: Link,
  game: GameText,
  text: string,
): Promise<{ moves: string[]; problem: string }> {
  try {
    const read = await link.ask('read', { read: { game, text } });
    return { moves: read.moves, problem: read.text };
  } catch (error) {
    return { moves: [], problem: words(error) };
  }
}

/** A field to type moves into; Enter hands them over. */
export function moveEntry(
  example: string,
  onenter: (text: string) => void,
): { form: HTMLFormElement; field: HTMLInputElement } {
  const field = h('input', {
    type: 'text',
    placeholder: `type moves: ${example}`,
    'aria-label': `Type moves of the series, such as ${example}`,
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const form = h('form', { class: 'entry' }, field);
  form.onsubmit = event => {
    event.preventDefault();
    onenter(field.value.trim());
  };
  return { form, field };
}
