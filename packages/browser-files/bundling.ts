import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { oldestBrowsers } from './browsers.ts';

export const widgetRoot = resolve(import.meta.dirname, '../widget');

export const clientSource = resolve(import.meta.dirname, '../client/src');

/** Leaves out the client's retries, since the widget has its own and sets `retries: 0`. */
const withoutRetries: Plugin = {
  name: 'without-retries',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]client[/\\]src[/\\]calls[/\\]call-with-retry\.ts$/ }, () => {
      return { contents: 'export const callWithRetry = (attempt) => attempt();' };
    });
  },
};

/** Removes comments and spaces from the style sheets, which are text in modules of their own. */
const smallStyles: Plugin = {
  name: 'small-styles',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]ui[/\\]styles[/\\][\w-]+\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      return { contents: source.replaceAll(/`[^`]*`/g, smallStyle), loader: 'ts' };
    });
  },
};

function smallStyle(css: string): string {
  return css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/: /g, ':')
    .replaceAll(';}', '}');
}

export const bundling: BuildOptions = {
  absWorkingDir: widgetRoot,
  alias: { '@parley/client/public': join(clientSource, 'public.ts') },
  plugins: [withoutRetries, smallStyles],
  write: false,
  bundle: true,
  minify: true,
  platform: 'browser',
  target: Object.entries(oldestBrowsers).map(([name, version]) => name + version),
  // The image that builds has no tsconfig.json of the repository. Fields that are only declared have no
  // output.
  tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'warning',
};
/** For files that contain Preact. */
export const withPreact: BuildOptions = {
  banner: { js: '/* Parley, Apache-2.0. Includes Preact, MIT, (c) 2015-present Jason Miller. */' },
};
