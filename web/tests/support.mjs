// Starts the real server and a browser on it, and moves as a person does.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const TARGET = join(process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target'), 'debug');
/** Generous: nothing takes long, but machines may. */
export const PATIENCE = 90_000;

export function program(name) {
  const path = join(TARGET, name);
  assert.ok(existsSync(path), `${path} is missing: cargo build --bins --example fake_engine`);
  return path;
}

/** A running server. */
export class Server {
  static async start(args = [], port = 0) {
    const server = new Server();
    server.folder = mkdtempSync(join(tmpdir(), 'seriatim-board-'));
    server.child = spawn(program('seriatim-board'), ['--port', String(port), ...args], {
      cwd: server.folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    server.url = await new Promise((resolve, reject) => {
      let text = '';
      server.child.stdout.on('data', data => {
        text += data;
        const url = /http:\/\/\S+/.exec(text);
        if (url) resolve(url[0]);
      });
      server.child.on('exit', code => reject(new Error(`the server ended with ${code}`)));
    });
    return server;
  }

  get port() {
    return Number(new URL(this.url).port);
  }

  /** The process ids of its engines. */
  engines() {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .filter(name => {
        try {
          const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
          const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
          return fields[0] !== 'Z' && Number(fields[1]) === this.child.pid;
        } catch {
          return false;
        }
      })
      .map(Number);
  }

  async stop() {
    const ended = new Promise(resolve => this.child.on('exit', resolve));
    if (this.child.exitCode === null && this.child.kill()) await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
    ],
  });
}

/** A page in a fresh profile. What the browser complains about fails the test, but for `expected`. */
export async function open(browser, server, hash, options = {}) {
  const { expected = /$^/, ...rest } = options;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...rest });
  context.setDefaultTimeout(PATIENCE);
  // The same games every time: their seeds are drawn by the page.
  await context.addInitScript(() => (Math.random = () => 0.25));
  const page = await context.newPage();
  page.complaints = [];
  const complain = text => {
    if (!expected.test(text)) page.complaints.push(text);
  };
  page.on('pageerror', error => complain(error.message));
  page.on('console', message => {
    if (message.type() === 'error') complain(message.text());
  });
  await page.goto(server.url + hash);
  await page.waitForSelector('.page, .watch');
  return page;
}

export async function close(page) {
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

/** Clicks a square of the board that is shown. */
export async function click(page, square) {
  const surface = page.locator('.board .surface').first();
  await surface.scrollIntoViewIfNeeded();
  const box = await surface.boundingBox();
  const white = (await page.locator('.board').first().getAttribute('data-orientation')) === 'white';
  const file = 'abcdefgh'.indexOf(square[0]);
  const rank = Number(square[1]) - 1;
  const x = (white ? file : 7 - file) + 0.5;
  const y = (white ? 7 - rank : rank) + 0.5;
  await page.mouse.click(box.x + (x * box.width) / 8, box.y + (y * box.height) / 8);
}

/** Waits until `side` may move on the board. */
export async function mayMove(page, side) {
  await page.waitForSelector(`.board[data-movable="${side}"]`);
}

/** Plays a move by two clicks, and waits until it is there. */
export async function move(page, uci) {
  const board = page.locator('.board').first();
  const before = await board.getAttribute('data-placement');
  await click(page, uci.slice(0, 2));
  await page.waitForSelector('.board square.selected', { state: 'attached' });
  await click(page, uci.slice(2, 4));
  if (uci.length > 4) {
    const names = { q: 'queen', r: 'rook', b: 'bishop', n: 'knight', k: 'king' };
    await page.getByRole('button', { name: names[uci[4]], exact: true }).click();
  }
  await page.waitForFunction(
    before => document.querySelector('.board')?.dataset.placement !== before,
    before,
  );
}

/** Allowed moves that go on with the game which the play page keeps, whichever they are. */
export async function anyMoves(page, count) {
  const { rules, start, moves } = await kept(page);
  const found = [];
  while (found.length < count) {
    const game = { rules, start, moves: [...moves, ...found] };
    const { targets, promotions } = await ask(page, { view: { game } }, 'view');
    const all = Object.entries(targets)
      .flatMap(([from, squares]) => squares.map(to => from + to))
      .filter(uci => !promotions[uci]);
    // Small steps of pawns end nothing.
    found.push(all.find(uci => /^(.)2\13$/.test(uci)) ?? all[0]);
  }
  return found;
}

/** Asks the server through a connection of its own, as any page could. */
export function ask(page, question, is) {
  return page.evaluate(
    ({ question, is }) =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`ws://${location.host}/socket`);
        socket.onopen = () => socket.send(JSON.stringify({ id: 1, ask: question }));
        socket.onerror = () => reject(new Error('no connection'));
        socket.onmessage = event => {
          const answer = JSON.parse(event.data);
          if (answer.is === 'lines') return;
          socket.close();
          if (answer.is === is) resolve(answer);
          else reject(new Error(JSON.stringify(answer)));
        };
      }),
    { question, is },
  );
}

/** The game that the play page keeps. */
export function kept(page) {
  return page.evaluate(() => JSON.parse(localStorage.getItem('seriatim.play')));
}

/** Plays a small match with scripted engines into a folder. */
export function playMatch(folder, rounds) {
  const engine = `cmd=${join(TARGET, 'examples/fake_engine')}`;
  execFileSync(program('seriatim-match'), [
    ...['run', '--engine', engine, 'name=one', '--engine', engine, 'name=two'],
    ...['--each', 'nodes=1', '--rounds', String(rounds), '--max-turns', '5', '--output', 'quiet'],
    ...['--sprt', 'elo0=0', 'elo1=50', '--out', folder],
  ], { stdio: 'ignore' });
}
