import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { bundling, widgetRoot, withPreact } from './bundling.ts';

/** The folder of the content of the npm package @parley/widget. */
export const packageDist: string = join(widgetRoot, 'dist');

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

/** Builds the code of the npm package @parley/widget, without its types. */
export async function bundlePackage(): Promise<void> {
  await bundle({
    outdir: join(packageDist, 'esm'),
    format: 'esm',
    splitting: true,
    chunkNames: '[name]-[hash]',
  });
  await bundle({ outdir: join(packageDist, 'cjs'), format: 'cjs' });
}
