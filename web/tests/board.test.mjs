// The board in a real browser, against the real server and engine.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PATIENCE, Server, anyMoves, ask, click, close, kept, launch, mayMove, move, open, playMatch } from './support.mjs';

let server;
let browser;

before(async () => {
  server = await Server.start();
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const limits = { timeout: 4 * PATIENCE };

/** Starts a game with the form, as a person does. */
async function newGame(page, { rules, level, side }) {
  await page.locator('details.new-game > summary').click();
  await page.selectOption('#preset', rules);
  await page.selectOption('#you-play', side);
  await page.selectOption(`#level-${side === 'white' ? 'black' : 'white'}`, String(level));
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.waitForFunction(rules => JSON.parse(localStorage.getItem('seriatim.play'))?.rules === rules, rules);
}

/** Plays a whole game by clicks; the person's series are those of a high level. */
async function wholeGame(page, side) {
  for (;;) {
    const over = page.locator('.play .result:visible');
    const turn = page.locator(`.board[data-movable="${side}"]`);
    await over.or(turn).first().waitFor();
    if (await over.count()) return;
    const { rules, start, moves } = await kept(page);
    const played = await ask(
      page,
      { play: { game: { rules, start, moves }, seat: side, engine: 0, level: 5, seed: 1, clocks: null } },
      'played',
    );
    for (const uci of played.moves) await move(page, uci);
    // The first series is one move, which goes at once.
    if (moves.length > 0) await page.getByRole('button', { name: 'Send series' }).click();
    await page.waitForFunction(
      sent => JSON.parse(localStorage.getItem('seriatim.play')).sent >= sent,
      moves.length + played.moves.length,
    );
  }
}

for (const [rules, side] of [['italian', 'white'], ['scottish', 'black']]) {
  test(`a whole ${rules} game against the engine, as ${side}`, limits, async () => {
    const page = await open(browser, server, '#play');
    await newGame(page, { rules, level: 0, side });
    await wholeGame(page, side);
    const result = await page.locator('.play .result').textContent();
    assert.match(result, /(1-0|0-1|1\/2-1\/2) (White wins|Black wins|Draw): /);
    // The score sheet has a row for each series, and the game is legal from end to end.
    const { start, moves, sent } = await kept(page);
    assert.equal(sent, moves.length);
    const view = await ask(page, { view: { game: { rules, start, moves } } }, 'view');
    assert.equal(await page.locator('.play .rows li').count(), view.turns.length);
    assert.ok(result.includes(view.over.reason));
    assert.equal(await page.getAttribute('.board', 'data-movable'), '');
    await close(page);
  });
}

test('a series is undone move by move, cleared, and sent when it is complete', limits, async () => {
  const page = await open(browser, server, '#play');
  await newGame(page, { rules: 'italian', level: 0, side: 'white' });
  await mayMove(page, 'white');
  await move(page, 'g1h3');
  await page.waitForFunction(() => document.querySelectorAll('.play .rows li').length === 2);
  await mayMove(page, 'white');
  assert.match(await page.textContent('.play .bar'), /White plays 3 moves.*then Black plays 4 moves/);
  // The engine's last series is shown by numbered arrows.
  assert.equal(await page.locator('.board .cg-shapes line').count(), 2);

  const start = await page.getAttribute('.board', 'data-placement');
  for (const uci of await anyMoves(page, 2)) await move(page, uci);
  assert.match(await page.textContent('.play .bar'), /2 of 3 played, 1 move left/);
  assert.equal(await page.getByRole('button', { name: 'Send series' }).isDisabled(), true);
  await page.getByRole('button', { name: 'Step back' }).click();
  await page.waitForFunction(() => /1 of 3 played/.test(document.querySelector('.play .bar').textContent));
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.waitForFunction(start => document.querySelector('.board').dataset.placement === start, start);

  // A whole series waits to be sent; a reload keeps it.
  for (const uci of await anyMoves(page, 3)) await move(page, uci);
  assert.match(await page.textContent('.play .bar'), /White’s series is complete/);
  await page.reload();
  await page.waitForFunction(() => /White’s series is complete/.test(document.querySelector('.play .bar')?.textContent ?? ''));
  assert.equal((await kept(page)).sent, 3);
  await page.getByRole('button', { name: 'Step back' }).click();
  await mayMove(page, 'white');
  for (const uci of await anyMoves(page, 1)) await move(page, uci);
  await page.getByRole('button', { name: 'Send series' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.play .rows li').length === 4);

  // The game is walked through with the arrow keys.
  await page.locator('main').focus();
  await page.keyboard.press('Home');
  assert.equal(await page.getAttribute('.board', 'data-placement'), 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.querySelector('.play .move.at')?.textContent === 'Nh3');
  await page.keyboard.press('End');
  await mayMove(page, 'white');
  await close(page);
});

test('engine plays engine, can be paused, and a clock runs out', limits, async () => {
  const page = await open(browser, server, '#play');
  const details = page.locator('details.new-game > summary');
  await details.click();
  // Nobody mates early where everything has to be captured.
  await page.selectOption('#preset', 'fullcapture');
  await page.selectOption('#you-play', 'none');
  await page.selectOption('#level-white', '0');
  await page.selectOption('#level-black', '0');
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.locator('.play .rows li').nth(1).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Go on' }).waitFor();
  const { moves } = await kept(page);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.waitForFunction(
    length => JSON.parse(localStorage.getItem('seriatim.play')).moves.length > length,
    moves.length,
  );

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Go on' }).waitFor();

  // A game with a clock of which a second is left, as a reload would find it: put in its place when
  // the page that is left has kept its own.
  await page.addInitScript(() => {
    const play = JSON.parse(localStorage.getItem('seriatim.play'));
    Object.assign(play, {
      moves: ['e2e4', 'e7e5', 'b8c6'],
      sent: 3,
      clock: { minutes: 3, increment: 5 },
      left: { white: 1000, black: 60000 },
      paused: false,
      ended: null,
    });
    play.players.white.engine = null;
    localStorage.setItem('seriatim.play', JSON.stringify(play));
  });
  await page.reload();
  await page.locator('.play .result', { hasText: '0-1 Black wins: white ran out of time' }).waitFor();
  assert.equal(await page.getAttribute('.board', 'data-movable'), '');
  await close(page);
});

test('two tabs show the same game, which goes on in the one that is used', limits, async () => {
  const page = await open(browser, server, '#play');
  await newGame(page, { rules: 'italian', level: 0, side: 'white' });
  await mayMove(page, 'white');
  const other = await page.context().newPage();
  await other.goto(`${server.url}#play`);
  await mayMove(other, 'white');
  const rows = (tab, count) =>
    tab.waitForFunction(count => document.querySelectorAll('.play .rows li').length === count, count);
  await move(page, 'e2e4');
  await rows(page, 2);
  await rows(other, 2);
  await mayMove(other, 'white');
  const [first, second] = await anyMoves(other, 2);
  await move(other, first);
  await page.locator('.play .bar', { hasText: '1 of 3 played' }).waitFor();
  await mayMove(page, 'white');
  await move(page, second);
  await other.locator('.play .bar', { hasText: '2 of 3 played' }).waitFor();
  assert.equal((await kept(page)).moves.length, 5);
  await close(page);
});

test('switches and random arrays are chosen, contradictions refused', limits, async () => {
  const page = await open(browser, server, '#play');
  const form = page.locator('.setup');
  await page.locator('details.new-game > summary').click();
  await page.selectOption('#preset', 'scottish');
  await page.selectOption('#you-play', 'both');
  await form.getByLabel('Start').selectOption('number');
  await page.getByLabel('Number of the Chess960 array').fill('0');
  await form.locator('summary', { hasText: 'Every switch' }).click();
  await form.getByLabel('schedule').fill('2+0');
  await form.getByLabel('checks').selectOption('none');
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.locator('.toast.error', { hasText: 'without check there is no mate' }).waitFor();
  await form.getByLabel('checks').selectOption('ends');
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.locator('.play .bar', { hasText: 'White plays 2 moves' }).waitFor();
  assert.equal(await page.getAttribute('.board', 'data-placement'), 'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR');
  assert.equal(await page.textContent('.play .rules'), 'scottish schedule=2+0 from Chess960 array 0');
  await close(page);
});

test('moves that are not allowed are refused with their reason', limits, async () => {
  const page = await open(browser, server, '#play');
  await newGame(page, { rules: 'italian', level: 0, side: 'black' });
  await mayMove(page, 'black');
  await page.getByRole('button', { name: 'Take back' }).waitFor();
  const hint = page.locator('.play .board-hint');
  const before = await page.getAttribute('.board', 'data-placement');
  await click(page, 'b8');
  await click(page, 'b5');
  await page.waitForFunction(() => /cannot go to b5/.test(document.querySelector('.play .board-hint').textContent));
  // By word too.
  await page.fill('.play .entry input', 'e7e4');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /cannot go to e4/.test(document.querySelector('.play .board-hint').textContent));
  assert.equal(await page.getAttribute('.board', 'data-placement'), before);
  assert.equal((await kept(page)).moves.length, 1);
  assert.ok(await hint.isVisible());
  // Without a series of one's own there is nothing to take back: the engine's first one stays.
  const left = await page.getByRole('button', { name: 'Take back' }).evaluate(button => {
    button.click();
    return JSON.parse(localStorage.getItem('seriatim.play')).moves.length;
  });
  assert.equal(left, 1);

  // A check before the last move of an Italian series: the square is marked, and says why.
  await page.goto(`${server.url}#analyse?rules=italian&fen=startpos&moves=e2e4,d7d5,e7e6`);
  await mayMove(page, 'white');
  await click(page, 'f1');
  await page.waitForSelector('.board square.refused', { state: 'attached' });
  await page.waitForFunction(() =>
    /b5: .*only on the last move/.test(document.querySelector('.analyse .board-hint').textContent),
  );
  await click(page, 'b5');
  await page.waitForFunction(() => /f1–b5/.test(document.querySelector('.analyse .board-hint').textContent));
  assert.equal(await page.locator('.analyse .rows .move').count(), 3);
  await close(page);
});

test('the engine analyses, shows mates and threats, and its lines are walked through', limits, async () => {
  const page = await open(browser, server, '#analyse?rules=italian&fen=startpos&moves=e2e4,e7e5,b8c6');
  await page.locator('.badge:visible').waitFor();
  assert.match(await page.textContent('.badge'), /Won in this series/);
  assert.equal((await page.textContent('.engine-head .score')).trim(), '+M1');
  const before = await page.getAttribute('.board', 'data-placement');
  const last = page.locator('.pvs li').first().locator('.move').nth(2);
  assert.match(await last.textContent(), /#$/);
  await last.click();
  assert.match(await page.textContent('.preview'), /Line 1, move 3 of/);
  assert.notEqual(await page.getAttribute('.board', 'data-placement'), before);
  await page.locator('main').focus();
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => /move 2 of/.test(document.querySelector('.preview').textContent));
  await page.keyboard.press('Escape');
  await page.locator('.preview').waitFor({ state: 'hidden' });
  // The game has not changed by it.
  assert.equal(await page.getAttribute('.board', 'data-placement'), before);
  assert.equal(await page.locator('.tree .move').count(), 3);

  // A branch beside the main line, kept over a reload with the position in the address.
  await page.keyboard.press('ArrowLeft');
  await mayMove(page, 'black');
  await move(page, 'g8f6');
  await page.locator('.tree .variation .move', { hasText: 'Nf6' }).waitFor();
  assert.match(page.url(), /moves=e2e4,e7e5,g8f6/);
  await page.reload();
  await page.locator('.tree .variation .move.at', { hasText: 'Nf6' }).waitFor();

  // What the other side could do, and another number of lines.
  await page.getByRole('button', { name: 'Threat' }).click();
  await page.locator('.pvs li .number', { hasText: '4.' }).first().waitFor();
  await page.getByRole('button', { name: 'Threat' }).click();
  await page.selectOption('.engine select', '5');
  await page.locator('.pvs li').nth(4).waitFor();
  await page.getByRole('button', { name: 'Engine' }).click();
  assert.equal(await page.textContent('.engine-head button'), 'Start');
  await close(page);
});

test('a game is imported from PGN, annotated, and written again in both forms', limits, async () => {
  const page = await open(browser, server, '#analyse');
  await page.locator('details.import > summary').click();
  const text = page.getByRole('textbox', { name: 'PGN or series FEN' });
  await text.fill('[White "Anna"]\n[Black "Ben"]\n\n1.e4 2.e5 (2.d5 dxe4) 2...Nf6 3.Bc4! {strong} Qh5 Qxf7# 1-0');
  await page.getByRole('button', { name: 'Read it' }).click();
  await page.locator('.tree .move.at', { hasText: 'Qxf7#' }).waitFor();
  assert.equal(await page.locator('.tree .move').count(), 8);
  assert.ok((await page.textContent('.tree')).includes('Bc4!'));
  assert.match(await page.textContent('.analyse .bar'), /White wins: checkmate/);
  await page.getByRole('button', { name: 'Annotate with scores' }).click();
  await page.locator('.tree .noted').nth(1).waitFor();
  await page.getByRole('button', { name: 'Annotate with scores' }).waitFor();
  // The engine's own switch does not get in its way.
  await page.getByRole('button', { name: 'Annotate with scores' }).click();
  await page.getByRole('button', { name: 'Engine' }).click();
  await page.getByRole('button', { name: 'Stop (' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Annotate with scores' }).waitFor();
  await page.getByRole('button', { name: 'Write PGN' }).click();
  await page.waitForFunction(() => /\[%eval [^\]]+\]/.test(document.querySelector('.import textarea').value));
  const series = await text.inputValue();
  assert.match(series, /\[White "Anna"\]/);
  assert.match(series, /\(2\.d5 dxe4\)/);
  await page.getByRole('button', { name: 'Write null-move PGN' }).click();
  await page.waitForFunction(() => document.querySelector('.import textarea').value.includes('--'));
  await text.fill('1.e4 2.e5 Ke3');
  await page.getByRole('button', { name: 'Read it' }).click();
  await page.locator('.import ul.wrong', { hasText: 'Ke3' }).waitFor();
  // A position that cannot stand leaves the game as it is.
  await text.fill('8/8/8/8/8/8/8/R7 w - - 0 1');
  await page.getByRole('button', { name: 'Read it' }).click();
  await page.locator('.import ul.wrong', { hasText: 'king' }).waitFor();
  assert.equal(await page.locator('.tree .move').count(), 8);
  await close(page);
});

test('a position is set up', limits, async () => {
  const page = await open(browser, server, '#analyse');
  await page.getByRole('button', { name: 'Set up position' }).click();
  const fen = page.getByRole('textbox', { name: 'Series FEN' });
  await page.getByRole('button', { name: 'Empty board' }).click();
  await page.locator('.editor .wrong').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Analyse this position' }).isDisabled(), true);
  // Men are chosen and put by clicks.
  for (const [man, square] of [['white king', 'a1'], ['white rook', 'h1'], ['black king', 'g8']]) {
    await page.getByRole('button', { name: man, exact: true }).click();
    const box = await page.locator('.editor .surface').boundingBox();
    const x = 'abcdefgh'.indexOf(square[0]) + 0.5;
    const y = 8.5 - Number(square[1]);
    await page.mouse.click(box.x + (x * box.width) / 8, box.y + (y * box.height) / 8);
    await page.getByRole('button', { name: man, exact: true }).click();
  }
  await page.waitForFunction(() => document.querySelector('.editor input.wide').value.startsWith('6k1/8/8/8/8/8/8/K6R '));
  await fen.fill('6k1/5ppp/8/8/8/8/8/K6R w - - 0 3');
  await fen.press('Enter');
  await page.locator('.editor .hint', { hasText: 'White plays 3 moves' }).waitFor();
  await page.getByRole('button', { name: 'Analyse this position' }).click();
  await mayMove(page, 'white');
  assert.match(page.url(), /fen=6k1/);
  await close(page);
});

test('a promotion is chosen, and the engine does not disturb it', limits, async () => {
  const page = await open(browser, server, '#analyse?rules=italian&fen=8/P6k/8/8/8/8/8/K7 w - - 0 1');
  await mayMove(page, 'white');
  await click(page, 'a7');
  await page.waitForSelector('.board square.selected', { state: 'attached' });
  await click(page, 'a8');
  const chooser = page.getByRole('dialog', { name: 'Promote to' });
  await chooser.waitFor();
  assert.equal(await chooser.getByRole('button').count(), 5);
  // New lines come in meanwhile.
  await page.selectOption('.engine select', '4');
  await page.locator('.pvs li').nth(3).waitFor();
  assert.equal(await chooser.isVisible(), true);
  await page.keyboard.press('Escape');
  await chooser.waitFor({ state: 'hidden' });
  await move(page, 'a7a8n');
  await page.locator('.tree .move.at', { hasText: 'a8=N' }).waitFor();
  await page.waitForFunction(() => document.getElementById('spoken').textContent === 'a8=N');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'board');
  await close(page);
});

test('a problem is solved, and hints help', limits, async () => {
  const page = await open(browser, server, '#problems');
  await mayMove(page, 'white');
  const { problems } = await ask(page, { problems: {} }, 'problems');
  const game = { rules: problems[0].rules, start: problems[0].fen, moves: [] };
  const hint = await ask(page, { hint: { game } }, 'hint');
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.waitForFunction(() => /look at the man on/.test(document.querySelector('.problems .board-hint').textContent));
  for (const { uci } of hint.moves) await move(page, uci);
  await page.locator('.problems .result', { hasText: 'Mate: checkmate' }).waitFor();
  // The next one without help.
  await page.getByRole('button', { name: 'Next problem' }).click();
  await page.waitForFunction(id => location.hash.includes(id), problems[1].id);
  await mayMove(page, 'white');
  const second = await ask(page, { hint: { game: { ...game, start: problems[1].fen } } }, 'hint');
  for (const { uci } of second.moves) await move(page, uci);
  await page.locator('.problems .result', { hasText: 'Solved' }).waitFor();
  assert.equal(await page.textContent('.problems .hint >> text=solved'), `1 of ${problems.length} solved`);
  // The third one shows its solution by itself.
  await page.getByRole('button', { name: 'Next problem' }).click();
  await page.waitForFunction(id => location.hash.includes(id), problems[2].id);
  await mayMove(page, 'white');
  await page.getByRole('button', { name: 'Solution' }).click();
  await page.locator('.problems .result', { hasText: 'Mate' }).waitFor();
  await close(page);
});

test('a match is watched', limits, async () => {
  const folder = join(server.folder, 'match');
  const watching = await Server.start(['--watch', folder]);
  try {
    const page = await open(browser, watching, '#watch');
    await page.locator('.watch .hint', { hasText: 'no match' }).waitFor();
    playMatch(folder, 3);
    await page.locator('.match-head', { hasText: '6 of 6 games' }).waitFor();
    assert.equal(await page.locator('.minis article').count(), 6);
    assert.match(await page.textContent('.tables'), /one.*two/s);
    await page.locator('.plots figure', { hasText: 'LLR' }).waitFor();
    await page.locator('.minis .mini piece').first().waitFor({ state: 'attached' });
    // A game goes to the analysis.
    await page.locator('.minis article button').first().click();
    await page.waitForSelector('.analyse .tree .move');
    await close(page);
  } finally {
    await watching.stop();
  }
});

test('a phone shows everything in its width, and takes taps', limits, async () => {
  const page = await open(browser, server, '#play', {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  await mayMove(page, 'white');
  const box = await page.locator('.board .surface').boundingBox();
  const tap = (file, rank) =>
    page.touchscreen.tap(box.x + ((file + 0.5) * box.width) / 8, box.y + ((7.5 - rank) * box.height) / 8);
  await tap(4, 1);
  await page.waitForSelector('.board square.selected', { state: 'attached' });
  await tap(4, 3);
  await page.locator('.play .rows .move', { hasText: /^e4$/ }).waitFor();
  for (const name of ['analyse', 'problems', 'watch', 'play']) {
    await page.locator(`nav a[href="#${name}"]`).click();
    await page.waitForSelector(`.${name}`);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 360, `${name} is ${width} wide`);
  }
  await close(page);
});

test('a game is begun and played with the keyboard alone', limits, async () => {
  const page = await open(browser, server, '#play');
  await mayMove(page, 'white');
  // The skip link leads past the head to the board.
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
  await page.keyboard.press('Enter');
  for (let tabs = 0; ; tabs++) {
    assert.ok(tabs < 20, 'the board is not reached');
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement.classList.contains('board'))) break;
  }
  await page.keyboard.press('ArrowUp');
  await page.waitForFunction(() => document.getElementById('spoken').textContent === 'e2, white pawn, 2 moves');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.waitForFunction(() => document.getElementById('spoken').textContent === 'e4, empty, can go here');
  await page.keyboard.press('Enter');
  await page.locator('.play .rows .move', { hasText: /^e4$/ }).waitFor();
  await mayMove(page, 'white');
  // The rest of the series is typed, and sent with S from the board.
  const series = await anyMoves(page, 3);
  await page.locator('.play .entry input').focus();
  // What is too much for the series is refused as a whole.
  await page.keyboard.type(`${series.join(' ')} a7a6`);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /a7a6.*complete/.test(document.querySelector('.play .board-hint').textContent));
  assert.equal((await kept(page)).moves.length, 3);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(series.join(' '));
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /series is complete/.test(document.querySelector('.play .bar').textContent));
  await page.locator('.board').first().focus();
  await page.keyboard.press('s');
  await page.waitForFunction(() => JSON.parse(localStorage.getItem('seriatim.play')).sent >= 6);
  await page.keyboard.press('?');
  await page.locator('#help[open]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#help[open]').waitFor({ state: 'detached' });
  await close(page);
});

test('the page survives the death of its engine and of the server', limits, async () => {
  const own = await Server.start();
  const page = await open(browser, own, '#analyse', { expected: /WebSocket|ERR_CONNECTION/ });
  try {
    await page.locator('.pvs li').first().waitFor();
    const [engine] = own.engines();
    process.kill(engine, 'SIGKILL');
    await page.locator('.toast', { hasText: 'SIGKILL' }).waitFor();
    await page.locator('.pvs li').first().waitFor();
    await page.waitForFunction(() => /depth/.test(document.querySelector('.engine-head .hint').textContent));
    const [again] = own.engines();
    assert.notEqual(again, engine);

    const port = own.port;
    own.child.kill('SIGKILL');
    await page.locator('#connection.lost').waitFor();
    const next = await Server.start([], port);
    try {
      await page.waitForFunction(() => !document.querySelector('#connection.lost'));
      await page.waitForFunction(() => /depth/.test(document.querySelector('.engine-head .hint').textContent));
    } finally {
      await close(page);
      await next.stop();
    }
  } finally {
    await own.stop();
  }
});

test('light and dark', limits, async () => {
  const ground = page => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await open(browser, server, '#play', { colorScheme: 'light' });
  const dark = await open(browser, server, '#play', { colorScheme: 'dark' });
  const [bright, dim] = [await ground(light), await ground(dark)];
  assert.notEqual(bright, dim);
  await light.getByRole('button', { name: 'Light or dark' }).click();
  await light.getByRole('button', { name: 'Light or dark' }).click();
  assert.equal(await ground(light), dim);
  await light.reload();
  await light.waitForSelector('.page');
  assert.equal(await ground(light), dim);
  await close(light);
  await close(dark);
});
