import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Runs a command of the workspace. A failure has its output. */
async function run(command: string, args: string[], cwd = root, env = process.env): Promise<void> {
  try {
    await promisify(execFile)(command, args, { cwd, env, maxBuffer: 16 * 1024 * 1024 });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    expect.fail(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
  }
}

// On a busy machine, this takes longer than any other test.
test(
  'the types are correct, and the linter finds nothing: promises, cycles, import directions, sizes',
  {
    timeout: 900_000,
  },
  () =>
    // Its type checker is a Go program. Rarer garbage collections save a quarter of the processor time.
    run('oxlint', ['--type-aware', '--type-check', '--deny-warnings'], root, { ...process.env, GOGC: '400' }),
);

test('the code is formatted', () => run('biome', ['format', '--reporter=summary']));

test('nothing is dead: every file, export and dependency is used', () => run('knip', []));

test('every package declares what it imports at run time, for an install without devDependencies', () =>
  run('knip', ['--production', '--strict', '--include', 'dependencies,unlisted,unresolved,binaries']));

test('the protocol definitions are clean', async () => {
  await run('buf', ['lint'], join(root, 'proto'));
  await run('buf', ['format', '--diff', '--exit-code'], join(root, 'proto'));
});

test('the protocol is compatible with released clients', () =>
  run('buf', ['breaking', '--against', 'baseline.binpb'], join(root, 'proto')));

test('the generated code matches the definitions', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-generated-'));
  try {
    await run('buf', ['generate', '--output', join(folder, 'proto')], join(root, 'proto'));
    await run('diff', [
      '-r',
      join(folder, 'packages/contracts/src/gen'),
      join(root, 'packages/contracts/src/gen'),
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
