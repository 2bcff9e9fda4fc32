// Choosing the rules: a preset and switches on top. What they mean is the server's business.

import { fill, h, select } from './dom.js';
import type { Hello } from './messages.js';

export interface RulesChoice {
  preset: string;
  switches: Record<string, string>;
}

/** The rules as text: `italian quiet-limit=8`. */
export function rulesText(choice: RulesChoice): string {
  const switches = Object.entries(choice.switches).map(([name, value]) => `${name}=${value}`);
  return [choice.preset, ...switches].join(' ');
}

export function readRules(text: string): RulesChoice {
  const [preset = 'italian', ...words] = text.split(' ').filter(Boolean);
  const switches: Record<string, string> = {};
  for (const word of words) {
    const [name, value] = word.split('=');
    if (name && value) switches[name] = value;
  }
  return { preset, switches };
}

export function rulesForm(hello: Hello, choice: RulesChoice, onchange: () => void): HTMLElement {
  const details = h('div', { class: 'switches' });
  const summary = h('p', { class: 'hint' });
  const fillSwitches = (): void => {
    const preset = hello.presets.find(preset => preset.name === choice.preset);
    summary.textContent = preset?.summary ?? '';
    fill(
      details,
      ...hello.switches.map(({ name, values }) => {
        const base = preset?.values[name] ?? '';
        const value = choice.switches[name] ?? base;
        const set = (value: string): void => {
          if (value === base || value === '') delete choice.switches[name];
          else choice.switches[name] = value;
          onchange();
        };
        if (values) {
          return select(name, values.map(value => [value, value]), value, set).row;
        }
        const field = h('input', { type: 'text', size: 8, onchange: () => set(field.value.trim()) });
        field.value = value;
        return h('label', { class: 'field' }, h('span', {}, name), field);
      }),
    );
  };
  const presets = select(
    'Rules',
    hello.presets.map(preset => [preset.name, preset.name]),
    choice.preset,
    value => {
      choice.preset = value;
      choice.switches = {};
      fillSwitches();
      onchange();
    },
    { id: 'preset' },
  );
  fillSwitches();
  return h(
    'div',
    { class: 'rules-form' },
    presets.row,
    summary,
    h('details', {}, h('summary', {}, 'Every switch'), details),
  );
}
