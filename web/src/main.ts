// The page: tabs, theme, keys, and the connection.

import { announce, fill, h, toast, words } from './dom.js';
import { Link } from './link.js';
import type { Hello } from './messages.js';
import { AnalysePage } from './analyse.js';
import { PlayPage } from './play.js';
import { ProblemsPage } from './problems.js';
import { WatchPage } from './watch.js';
import { load, save } from './store.js';

interface Page {
  readonly element: HTMLElement;
  /** The page has become visible, or is so no longer. `query` is what the address says. */
  show(visible: boolean, query: URLSearchParams): void;
  /** The server is there again. */
  online(): void;
  onKey(event: KeyboardEvent): boolean;
}

const TITLES: Record<string, string> = {
  play: 'Play',
  analyse: 'Analyse',
  problems: 'Problems',
  watch: 'Watch',
};

function themeButton(): void {
  const themes = ['auto', 'light', 'dark'] as const;
  let theme = load<(typeof themes)[number]>('theme', 'auto');
  const apply = (): void => {
    document.documentElement.dataset['theme'] = theme;
  };
  apply();
  document.getElementById('theme')?.addEventListener('click', () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto';
    save('theme', theme);
    apply();
    toast(theme === 'auto' ? 'light or dark as the system says' : theme);
  });
}

function start(link: Link, hello: Hello, main: HTMLElement): Map<string, Page> {
  const play = new PlayPage(link, hello, game => analyse.open(game));
  const analyse = new AnalysePage(link, hello, (game, side) => {
    location.hash = '#play';
    void play.playFrom(game, side);
  });
  const pages = new Map<string, Page>([
    ['play', play],
    ['analyse', analyse],
    ['problems', new ProblemsPage(link, game => analyse.open(game))],
    ['watch', new WatchPage(link, game => analyse.open(game))],
  ]);
  let current = '';
  const route = (): void => {
    const [name = '', query = ''] = location.hash.slice(1).split('?', 2);
    const wanted = pages.has(name) ? name : 'play';
    const page = pages.get(wanted);
    if (!page) return;
    if (wanted !== current) {
      pages.get(current)?.show(false, new URLSearchParams());
      fill(main, page.element);
      document.title = `${TITLES[wanted]} – Seriatim`;
      for (const link of document.querySelectorAll('nav a')) {
        if (link.getAttribute('href') === `#${wanted}`) link.setAttribute('aria-current', 'page');
        else link.removeAttribute('aria-current');
      }
      current = wanted;
    }
    page.show(true, new URLSearchParams(query));
  };
  window.addEventListener('hashchange', route);
  document.addEventListener('keydown', event => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) || target.closest('dialog')) return;
    if (event.key === '?') openHelp();
    else if (!pages.get(current)?.onKey(event)) return;
    event.preventDefault();
  });
  route();
  return pages;
}

function openHelp(): void {
  (document.getElementById('help') as HTMLDialogElement | null)?.showModal();
}

function boot(): void {
  const main = document.getElementById('main');
  if (!main) return;
  themeButton();
  document.getElementById('keys')?.addEventListener('click', openHelp);
  let pages: Map<string, Page> | null = null;
  let lost = false;
  const connection = document.getElementById('connection');
  const link = new Link(
    online => {
      if (connection) {
        connection.textContent = online ? '' : 'the server is away; trying again';
        connection.classList.toggle('lost', !online);
      }
      if (online && lost) {
        announce('the server is there again');
        for (const page of pages?.values() ?? []) page.online();
      }
      lost = !online;
      if (online && !pages) {
        link.ask('hello', { hello: {} }).then(
          hello => {
            pages ??= start(link, hello, main);
          },
          error => fill(main, h('p', { class: 'loading' }, words(error))),
        );
      }
    },
    text => toast(text, 'error'),
  );
}

boot();
