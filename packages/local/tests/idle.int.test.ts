import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterEach, expect, test, vi } from 'vitest';
import { nodeFlags } from '../src/service-program.ts';

let started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  started = [];
});

test('a process does without compilers while it starts, and has them when there is work', async () => {
  const lines = start(
    `const work = (step) => { let sum = 0; for (let i = 0; i < 1e5; i += 1) sum = (sum + i * step) % 1e6; return sum; };
    const workFor = (ms) => { for (const end = Date.now() + ms; Date.now() < end; ) work(3); };
    workFor(500);
    console.log('started');
    setTimeout(() => setInterval(() => workFor(50), 100), 4000);`,
    '--trace-opt',
  );
  await vi.waitFor(() => expect(lines).toContain('started'), 10_000);
  expect(lines).toEqual(['started']);
  await vi.waitFor(() => expect(lines.join('\n')).toMatch(/completed optimizing .*work/), {
    timeout: 40_000,
  });
}, 60_000);

test('a process that has become idle gives back what it does not use', async () => {
  const lines = start(
    `let much = Array.from({ length: 400_000 }, (_, index) => ({ index }));
    console.log(process.memoryUsage().heapTotal);
    much = undefined;
    setInterval(() => console.log(process.memoryUsage().heapTotal), 100);`,
  );
  await vi.waitFor(() => expect(Number(lines[0])).toBeGreaterThan(20_000_000), 10_000);
  await vi.waitFor(() => expect(Number(lines.at(-1))).toBeLessThan(10_000_000), { timeout: 40_000 });
}, 60_000);

/** Runs the script as a service is run; answers the lines that it has printed so far. */
function start(script: string, ...flags: string[]): string[] {
  const child = spawn(process.execPath, [...nodeFlags, ...flags, '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  return lines;
}
