// Builds the content of the npm package @parley/widget: sh packages/local/run.sh
// packages/browser-files/package.ts
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { bundling, widgetRoot, withPreact } from './bundling.ts';

const dist = join(widgetRoot, 'dist');

const bundle = (options: BuildOptions) =>
  build({
    ...bundling,
    ...withPreact,
    entryPoints: ['src/index.ts', 'src/react.ts'],
    external: ['react'],
    // The page's bundler minifies.
    minify: false,
    write: true,
    ...options,
  });

/**
 * Emits the declarations of the widget and the client. They import each other by path: @parley/client is no dependency.
 */
function declare(folder: string): void {
  execFileSync('tsc', ['-p', join(widgetRoot, 'tsconfig.build.json'), '--outDir', folder], {
    stdio: 'inherit',
  });
  for (const file of globSync('widget/src/**/*.d.ts', { cwd: folder })) {
    const path = join(folder, file);
    const client = relative(dirname(path), join(folder, 'client/src/public.js'));
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll("'@parley/client/public'", `'${client}'`));
  }
}

rmSync(dist, { recursive: true, force: true });
await bundle({ outdir: join(dist, 'esm'), format: 'esm', splitting: true, chunkNames: '[name]-[hash]' });
await bundle({ outdir: join(dist, 'cjs'), format: 'cjs' });
declare(join(dist, 'esm/types'));
cpSync(join(dist, 'esm/types'), join(dist, 'cjs/types'), { recursive: true });
// Node reads the type of a file from the nearest package.json.
writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');
cpSync(resolve(widgetRoot, '../../LICENSE'), join(dist, 'LICENSE'));
