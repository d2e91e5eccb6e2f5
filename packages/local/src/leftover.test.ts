import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { lockDataDir } from './data-lock.ts';
import { commandLine, startedAt } from './leftover.ts';

test('a process has a start, by which it is told from others', async () => {
  expect(await startedAt(process.pid)).toMatch(/\S/);
  expect(await startedAt(process.pid)).toBe(await startedAt(process.pid));
  for (const none of [0, -1, 2 ** 30, Number.NaN]) expect(await startedAt(none)).toBeUndefined();
});

test('a process that has ended and that nobody waits for holds no data folder', async () => {
  // The child ends with its input; its parent, by then another program, never asks what became of it.
  const script = 'exec 3<&0; cat <&3 & echo $!; exec sleep 60';
  const parent = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const folder = await mkdtemp(join(tmpdir(), 'parley-leftover-test-'));
  try {
    const [line] = await once(createInterface({ input: parent.stdout }), 'line');
    const pid = Number(line);
    await vi.waitFor(async () => expect(await commandLine(Number(parent.pid))).toMatch(/^sleep/), 10_000);
    await writeFile(join(folder, 'run.lock'), `${pid} ${await startedAt(pid)}`);
    await expect(lockDataDir(folder)).rejects.toThrow(`in use by another run (process ${pid})`);

    parent.stdin.end();
    const lock = await vi.waitFor(() => lockDataDir(folder), 10_000);
    // It is still there, as a process without a life.
    expect(process.kill(pid, 0)).toBe(true);
    await lock.release();
  } finally {
    parent.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});
