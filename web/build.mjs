// Builds the page into a folder: node build.mjs [FOLDER]. The same sources and the same pinned
// packages give the same bytes.
import { build } from 'esbuild';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
process.chdir(here);
const folder = process.argv[2] ?? 'dist';

const common = {
  bundle: true,
  minify: true,
  target: ['chrome123', 'firefox120', 'safari17.5'],
  charset: 'utf8',
  legalComments: 'eof',
  sourcemap: false,
  logLevel: 'warning',
};
await mkdir(folder, { recursive: true });
await build({
  ...common,
  entryPoints: ['src/main.ts'],
  format: 'esm',
  outfile: join(folder, 'board.js'),
  banner: {
    js: '/* Seriatim board, GPL-3.0-or-later, with chessground (GPL-3.0-or-later); sources in web/. */',
  },
});
await build({
  ...common,
  stdin: {
    contents: [
      '@import "@lichess-org/chessground/assets/chessground.base.css";',
      '@import "@lichess-org/chessground/assets/chessground.brown.css";',
      '@import "@lichess-org/chessground/assets/chessground.cburnett.css";',
      '@import "./src/style.css";',
    ].join('\n'),
    loader: 'css',
    resolveDir: here,
  },
  outfile: join(folder, 'board.css'),
});
for (const name of ['index.html', 'icon.svg']) {
  await copyFile(join('src', name), join(folder, name));
}
