// What survives a reload: small values in local storage.

const PREFIX = 'seriatim.';

export function load<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

/** Calls `listener` when another tab has changed a value. */
export function onForeignChange(name: string, listener: () => void): void {
  window.addEventListener('storage', event => {
    if (event.key === PREFIX + name) listener();
  });
}

export function save(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Storage may be full or switched off; then a reload begins anew.
  }
}
