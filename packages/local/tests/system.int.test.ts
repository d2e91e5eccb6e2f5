import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Command } from '../src/child.ts';
import { readyMsMax, StartError } from '../src/program.ts';
import { startSystem } from '../src/system.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-system-test-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test('a service that cannot start is told of without a wait for those that need it, and nothing is left behind', async () => {
  const dataDir = join(folder, 'data');
  const commands: Command[] = [];
  const adapt = (command: Command, service: string): Command => {
    commands.push(command);
    return service === 'customer'
      ? { file: process.execPath, args: ['-e', "console.error('no luck'); process.exit(3)"] }
      : command;
  };
  const startedAt = performance.now();
  const error = await startSystem({ dataDir, ephemeral: true, env: process.env, adapt }).catch(
    (thrown: unknown) => thrown,
  );
  // The gateway is ready only when all services are: it would take that long to give up.
  expect(performance.now() - startedAt).toBeLessThan(readyMsMax);
  expect(error).toBeInstanceOf(StartError);
  expect((error as StartError).message).toMatch(/^customer ended: exit code 3 .*\n.*no luck/);
  expect(commands).toHaveLength(5);
  await expect(stat(dataDir)).rejects.toThrow('ENOENT');
}, 60_000);
