import { execFile } from 'node:child_process';
import { chmod, glob, mkdir, mkdtempDisposable, rename, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { unpackPackage } from '@parley/local/processes/distribution-package';

const execute = promisify(execFile);

const playwright = resolve(import.meta.dirname, '../../../../node_modules/playwright-core/cli.js');
const connectMsMax = 10_000;
const downloadMsMax = 240_000;
const startMsMax = 30_000;

/**
 * `shell` has no window and takes half of the processor time. `full` is the browser of people, with all of its policies
 * for frames, cookies and other origins.
 */
export type ChromiumEdition = keyof typeof editions;

const editions = {
  shell: {
    folder: 'chromium',
    install: '--only-shell',
    program: '**/{chrome-headless-shell,headless_shell}',
    package: 'chromium-headless-shell',
  },
  full: {
    folder: 'chromium-full',
    install: '--no-shell',
    program: '**/chrome-linux*/chrome',
    package: 'chromium',
  },
} as const;

/** The path of a fetched Chromium. */
export function fetchedChromium(binDir: string, edition: ChromiumEdition): string {
  return join(binDir, editions[edition].folder, 'chromium');
}

/**
 * Fetches a Chromium that starts, and returns the path of its start script. Throws with the error of each source.
 * Removes incomplete files. The first of two parallel fetches wins.
 */
export async function fetchChromium(
  binDir: string,
  edition: ChromiumEdition,
  show: (line: string) => void,
): Promise<string> {
  await mkdir(binDir, { recursive: true });
  const failures: string[] = [];
  for (const [what, fetchInto] of [
    ["Playwright's download", fromPlaywright],
    [`the distribution's package ${editions[edition].package}`, fromPackage],
  ] as const) {
    await using folder = await mkdtempDisposable(join(binDir, 'chromium-fetch-'));
    const workDir = folder.path;
    try {
      const program = await fetchInto(workDir, edition);
      await writeScript(workDir, program);
      await execute(join(workDir, 'chromium'), [...trial, 'about:blank'], { timeout: startMsMax });
      // Fails if a parallel fetch has created the folder.
      await rename(workDir, join(binDir, editions[edition].folder)).catch(() => {});
      return fetchedChromium(binDir, edition);
    } catch (error) {
      failures.push(`${what}: ${reasonOf(error)}`);
      show(`${what} is not available: ${reasonOf(error)}`);
    }
  }
  throw new Error(failures.join('; '));
}

const trial = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--dump-dom',
];

/** Returns the path of the program. */
async function fromPlaywright(workDir: string, edition: ChromiumEdition): Promise<string> {
  const env = {
    ...process.env,
    PLAYWRIGHT_BROWSERS_PATH: workDir,
    PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: String(connectMsMax),
    PLAYWRIGHT_SKIP_BROWSER_GC: '1',
  };
  const { install, program } = editions[edition];
  const args = [playwright, 'install', install, '--no-progress', 'chromium'];
  await execute(process.execPath, args, { env, timeout: downloadMsMax });
  return findBelow(workDir, program);
}

async function fromPackage(workDir: string, edition: ChromiumEdition): Promise<string> {
  const name = editions[edition].package;
  await unpackPackage(name, workDir, downloadMsMax);
  return findBelow(workDir, `files/usr/lib/chromium/${name}`);
}

async function findBelow(folder: string, pattern: string): Promise<string> {
  for await (const path of glob(pattern, { cwd: folder })) return join(folder, path);
  throw new Error('it contains no Chromium');
}

/**
 * Writes a script that runs the program with the unpacked libraries and fonts, wherever the folder is. libpulse has a
 * library in a folder of its own.
 */
async function writeScript(folder: string, program: string): Promise<void> {
  const script = `#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
for libraries in "$here"/files/usr/lib/*-linux-gnu* "$here"/files/usr/lib/*-linux-gnu*/pulseaudio "$here"/files/lib/*-linux-gnu*; do
  [ -d "$libraries" ] && LD_LIBRARY_PATH=$libraries\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
done
[ -z "$LD_LIBRARY_PATH" ] || export LD_LIBRARY_PATH
if [ ! -e /etc/fonts/fonts.conf ] && [ -e "$here/files/etc/fonts/fonts.conf" ]; then
  export FONTCONFIG_FILE="$here/files/etc/fonts/fonts.conf" XDG_DATA_HOME="$here/files/usr/share"
fi
exec "$here/${relative(folder, program)}" "$@"
`;
  await writeFile(join(folder, 'chromium'), script);
  await chmod(join(folder, 'chromium'), 0o755);
}

function reasonOf(error: unknown): string {
  const { message, stderr } = error as Error & { stderr?: string };
  const lines = (stderr?.trim() || message).split('\n').map((line) => line.trim());
  return lines.find((line) => /^(Error|E): /.test(line)) ?? lines[0] ?? '';
}
