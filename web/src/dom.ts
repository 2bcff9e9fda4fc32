// Small helpers for building the page.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, unknown>;

/** Makes an element: `on...` attributes are listeners, `class` and others are set as they are. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
  fill(element, ...children);
  return element;
}

/** Replaces the content of an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(
    ...children.filter((child): child is Node | string => Boolean(child) || child === ''),
  );
}

export function button(label: string, onclick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return h('button', { type: 'button', onclick, ...attributes }, label);
}

/** Pictures for buttons, drawn on a square of 24. */
const PICTURES = {
  first: 'M5 5h2.5v14H5zM19 5v14L8.5 12z',
  last: 'M16.5 5H19v14h-2.500zM5 5v14l10.5-7z',
  back: 'M16 5v14L6 12z',
  on: 'M8 5v14l10-7z',
  seriesBack: 'M12 5v14l-9-7zM21 5v14l-9-7z',
  seriesOn: 'M12 5v14l9-7zM3 5v14l9-7z',
  again: 'M12 5a7 7 0 1 1-6.7 5h2.200A5 5 0 1 0 12 7v3L7 6l5-4z',
  turn: 'M7 3l4 5H8.500v8h-3V8H3zM17 21l-4-5h2.500V8h3v8H21z',
  close: 'M6 4.6 12 10.600l6-6L19.4 6l-6 6 6 6-1.4 1.4-6-6-6 6L4.6 18l6-6-6-6z',
} as const;

export type Picture = keyof typeof PICTURES;

function picture(name: Picture): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', PICTURES[name]);
  svg.append(path);
  return svg;
}

/** A button that shows a picture and says a word. */
export function iconButton(
  name: Picture,
  label: string,
  onclick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return h(
    'button',
    { type: 'button', class: 'icon', title: label, 'aria-label': label, onclick, ...attributes },
    picture(name),
  );
}

/** A labelled select. */
export function select(
  label: string,
  options: [value: string, text: string][],
  value: string,
  onchange: (value: string) => void,
  attributes: Attributes = {},
): { row: HTMLLabelElement; field: HTMLSelectElement } {
  const field = h(
    'select',
    { onchange: () => onchange(field.value), ...attributes },
    ...options.map(([value, text]) => h('option', { value }, text)),
  );
  field.value = value;
  return { row: h('label', { class: 'field' }, h('span', {}, label), field), field };
}

/** A labelled check box. */
export function check(
  label: string,
  value: boolean,
  onchange: (value: boolean) => void,
  attributes: Attributes = {},
): HTMLLabelElement {
  const field = h('input', {
    type: 'checkbox',
    onchange: () => onchange(field.checked),
    ...attributes,
  });
  field.checked = value;
  return h('label', { class: 'check' }, field, h('span', {}, label));
}

/** Says something to screen readers. */
export function announce(text: string): void {
  const region = document.getElementById('spoken');
  if (region) region.textContent = text;
}

/** Shows a short message that goes away by itself. */
export function toast(text: string, kind: 'plain' | 'error' = 'plain'): void {
  const region = document.getElementById('toasts');
  if (!region) return;
  const message = h('div', { class: `toast ${kind}` }, text);
  message.append(iconButton('close', 'Close this message', () => message.remove()));
  region.append(message);
  while (region.children.length > 3) region.firstElementChild?.remove();
  setTimeout(() => message.remove(), kind === 'error' ? 9000 : 5000);
}

/** What went wrong, in words. */
export function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Copies text, and says so. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    toast(`${what} could not be copied: the browser does not allow it`, 'error');
  }
}
