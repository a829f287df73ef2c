// Bundles the extension and its in-host test, and brings the grammar beside them.
import { copyFileSync } from 'node:fs';
import { build } from 'esbuild';

await build({
  entryPoints: { extension: 'src/extension.ts', test: 'test/host/index.ts' },
  bundle: true,
  outdir: 'out',
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
});
copyFileSync('../../syntax/neuro.tmLanguage.json', 'out/neuro.tmLanguage.json');
