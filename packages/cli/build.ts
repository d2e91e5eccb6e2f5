// Bundles the command line into `dist`, without dependencies: sh packages/local/run.sh packages/cli/build.ts
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { schemaName, schemaText } from './src/bot-schema.ts';
import { landingNames, landingScripts } from './src/preview/landing-script.ts';

const root = import.meta.dirname;
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { parley: 'src/main.ts' },
  outdir: dist,
  bundle: true,
  minify: true,
  // Keeps stack traces readable.
  keepNames: true,
  platform: 'node',
  target: 'node20.12',
  format: 'esm',
  // The CommonJS form of jsonc-parser cannot be bundled.
  mainFields: ['module', 'main'],
  // The client has no built files in the repository.
  conditions: ['@parley/source'],
  // Only the sources build browser files.
  external: ['@parley/browser-files/*'],
  // Some bundled packages are CommonJS, which needs a `require` for Node's own modules.
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
  },
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
for (const page of ['page.html', 'page.css', 'page.mjs'])
  copyFileSync(join(root, 'src/preview', page), join(dist, page));
writeFileSync(join(dist, schemaName), await schemaText());
const scripts = await landingScripts();
for (const name of landingNames) writeFileSync(join(dist, name), scripts[name]);
const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
const bundled = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file);
writeFileSync(join(dist, 'licenses.txt'), licenses(bundled));
copyFileSync(join(root, '../../LICENSE'), join(dist, 'LICENSE'));

/** Returns the licences of the bundled packages. All of them require that copies contain the licence. */
function licenses(files: string[]): string {
  const folders = files.flatMap(
    (file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? [],
  );
  const texts = [...new Set(folders)].sort().map((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
      license: string;
    };
    const { name, version, license } = manifest;
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? readFileSync(join(root, folder, file), 'utf8').trim() : '';
    return `${name} ${version}: ${license}\n\n${text}`.trim();
  });
  return texts.join(`\n\n${'-'.repeat(80)}\n\n`);
}
