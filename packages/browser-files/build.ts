// Builds what browsers load into `dist`: node packages/browser-files/build.ts [--force] [--help]
import { buildConsole, isConsoleBuilt } from './build-console.ts';
import { buildWidget, isWidgetBuilt } from './build-widget.ts';

/** This file, which can also run as a child process. */
export const buildScript = import.meta.filename;
const usage = `usage: node packages/browser-files/build.ts [--force]

Builds the browser SDK, the landing page and the console into packages/browser-files/dist, unless
they are there already, and prints the size of each file. --force: in any case.
`;

export function areFilesBuilt(): boolean {
  return isWidgetBuilt() && isConsoleBuilt();
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(usage);
  } else {
    const force = args.includes('--force');
    const files = await Promise.all([buildWidget({ force }), buildConsole({ force })]);
    for (const { path, gzipBytes } of files.flat()) {
      process.stdout.write(`${path.padEnd(40)} ${String(gzipBytes).padStart(6)} bytes gzip\n`);
    }
  }
}
