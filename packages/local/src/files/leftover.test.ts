import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openDataDir } from './data-dir.ts';
import { findProcess } from './leftover.ts';

test('the command line and start time of a process do not change', async () => {
  const own = await findProcess(process.pid);
  expect(own).toMatchObject({ command: expect.stringMatching(/\S/), startedAt: expect.stringMatching(/\S/) });
  expect(await findProcess(process.pid)).toMatchObject({ startedAt: own?.startedAt });
  for (const none of [0, -1, 2 ** 30, Number.NaN]) expect(await findProcess(none)).toBeUndefined();
});

test('a zombie does not lock a data folder', async () => {
  // The child exits with the end of its input. Its parent has become another program, which never waits for
  // it.
  const script = 'exec 3<&0; cat <&3 & echo $!; exec sleep 60';
  const parent = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const folder = await mkdtemp(join(tmpdir(), 'parley-leftover-test-'));
  try {
    const [line] = await once(createInterface({ input: parent.stdout }), 'line');
    const pid = Number(line);
    await vi.waitFor(
      async () => expect((await findProcess(Number(parent.pid)))?.command).toMatch(/^sleep/),
      60_000,
    );
    await writeFile(join(folder, 'run.lock'), `${pid} ${(await findProcess(pid))?.startedAt}`);
    await expect(openDataDir(folder, false)).rejects.toThrow(`in use by another run (process ${pid})`);

    parent.stdin.end();
    const opened = await vi.waitFor(() => openDataDir(folder, false), 60_000);
    // The process id still belongs to the zombie.
    expect(process.kill(pid, 0)).toBe(true);
    await opened.release();
  } finally {
    parent.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});
