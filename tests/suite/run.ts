import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { findChromium, NoChromiumError } from '@parley/testing/servers/chromium';
import { recordStatements } from '@parley/testing/database/recorded-statements';
import { reportFile } from './report-file.ts';
import { readSelection, SelectionError, selectsFrom } from './selection.ts';

// `npm test [-- FILTER...]`: runs every check and test, then prints the counts on a separate line.

const root = resolve(import.meta.dirname, '../..');
const help = `usage: npm test [-- [--project check|unit|integration|end-to-end|browser|alone] [FILTER]...]

Runs the checks (types, lint, format, dead code, generated code, protocols) and all tests. What the
tests need, a Postgres, a NATS server, a Chromium and a Python, is fetched if need be and started
for them; without a Chromium the browser tests are left out, or fail if CI is set. FILTER: a part of
a test file's path.
`;

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numFailedTestSuites: number;
  success: boolean;
}

async function main(args: string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(help);
    return 0;
  }
  await rm(reportFile, { force: true });
  try {
    const selected = readSelection(args, root);
    return await runTests(selected, await obstacleToBrowserTests(args));
  } catch (error) {
    if (!(error instanceof SelectionError || error instanceof NoChromiumError)) throw error;
    process.stderr.write(`npm test: ${error.message} (see --help)\n`);
    await summarise(2);
    return 2;
  }
}

/** Returns why there is no Chromium for the selected browser tests. Throws `NoChromiumError` instead if CI is set. */
async function obstacleToBrowserTests(args: string[]): Promise<string | undefined> {
  if (!selectsFrom('browser', args, root)) return undefined;
  try {
    // Both at once: on a new clone, each is fetched and unpacked.
    const show = (line: string): void => console.error(`browser ${line}`);
    await Promise.all(
      (['shell', 'full'] as const).map((edition) => findChromium(process.env, show, edition)),
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof NoChromiumError) || process.env['CI']) throw error;
    return error.message;
  }
}

/** Leaves the browser tests out without a Chromium. */
async function runTests(selected: string[], obstacle: string | undefined): Promise<number> {
  const args = obstacle === undefined ? selected : [...selected, '--project=!browser'];
  await using statements = await recordStatements();
  const env = {
    ...process.env,
    NODE_OPTIONS: [process.env['NODE_OPTIONS'], statements.nodeOptions].join(' '),
  };
  const runner = spawn('vitest', ['run', ...args], { cwd: root, env, stdio: 'inherit' });
  const forward = (signal: NodeJS.Signals): boolean => runner.kill(signal);
  process.on('SIGINT', forward).on('SIGTERM', forward);
  const code = await new Promise<number>((done, fail) => {
    runner.once('error', fail);
    runner.once('close', (exitCode) => done(exitCode ?? 1));
  });
  if (obstacle !== undefined) console.log(`The browser tests were LEFT OUT: ${obstacle}`);
  const unscoped = await statements.findUnrestricted();
  for (const statement of unscoped) console.error(`A statement is not limited to a workspace: ${statement}`);
  const reads = await statements.findReadsAmongWrites();
  for (const statement of reads) console.error(`A read takes a connection from writes: ${statement}`);
  return summarise(unscoped.length + reads.length > 0 ? 1 : code);
}

/** A file that could not be loaded has no failed test, so it counts as one. */
async function summarise(code: number): Promise<number> {
  const counts = JSON.parse(await readFile(reportFile, 'utf8').catch(() => '{}')) as Partial<Report>;
  const passed = counts.numPassedTests ?? 0;
  const failed = counts.numFailedTests ?? 0;
  const skipped = counts.numPendingTests ?? 0;
  const broken = failed === 0 && (code !== 0 || passed === 0) ? 1 : failed;
  console.log(`${passed} passed, ${broken} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return broken > 0 ? 1 : code;
}

process.exitCode = await main(process.argv.slice(2));
