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

/** A button that shows a sign and says a word. */
export function iconButton(
  sign: string,
  label: string,
  onclick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return h(
    'button',
    { type: 'button', class: 'icon', title: label, 'aria-label': label, onclick, ...attributes },
    h('span', { 'aria-hidden': 'true' }, sign),
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
  message.append(iconButton('×', 'Close this message', () => message.remove()));
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
