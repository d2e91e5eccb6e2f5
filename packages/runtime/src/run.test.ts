import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

const moduleUrl = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);

/** Starts a process with these variables; `start` is the source of an arrow function. */
function launch(start: string, env: NodeJS.ProcessEnv): ChildProcess {
  const program = `import { loadConfig } from ${moduleUrl('./config/config.ts')};
    import { run } from ${moduleUrl('./run.ts')};
    import { z } from ${JSON.stringify(import.meta.resolve('zod'))};
    await run('some', (env) => loadConfig(z.object({ WANTED: z.string() }), env), ${start});`;
  const args = ['--input-type=module', '--eval', program];
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

interface End {
  code: number | null;
  lines: { level: number; msg: string; reason?: string }[];
}

/** Returns its exit code and its log. Calls `heard` with each line. */
async function endOf(child: ChildProcess, heard: (message: string) => void = () => {}): Promise<End> {
  const lines: End['lines'] = [];
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  if (child.stdout) {
    for await (const text of createInterface(child.stdout)) {
      const line = JSON.parse(text) as End['lines'][number];
      lines.push(line);
      heard(line.msg);
    }
  }
  return { code: await ended, lines };
}

const serving = `async () => ({ address: 'here', [Symbol.asyncDispose]: async () => {} })`;

test('an invalid environment is one line, with any log level, and exit code 2', async () => {
  const { code, lines } = await endOf(launch(serving, { LOG_LEVEL: 'verbose' }));
  expect(code).toBe(2);
  expect(lines).toEqual([
    expect.objectContaining({ level: 60, msg: expect.stringMatching(/WANTED[^]*LOG_LEVEL/) }),
  ]);
});

test('an empty log level counts as not set, and a signal ends the process', async () => {
  const child = launch(
    `async () => {
    setInterval(() => {}, 1_000);
    return { address: 'here', [Symbol.asyncDispose]: async () => {} };
  }`,
    { WANTED: 'x', LOG_LEVEL: '' },
  );
  const { code, lines } = await endOf(child, (message) => message === 'started' && child.kill('SIGTERM'));
  expect([code, lines.map(({ msg }) => msg)]).toEqual([0, ['started', 'stopping']]);
});

test('a signal during the start ends the process with exit code 0', async () => {
  const child = launch(
    `(_config, logger) => {
    logger.info('waiting');
    return new Promise(() => setInterval(() => {}, 1_000));
  }`,
    { WANTED: 'x' },
  );
  const { code, lines } = await endOf(child, (message) => message === 'waiting' && child.kill('SIGTERM'));
  expect([code, lines.map(({ msg }) => msg)]).toEqual([0, ['waiting', 'stopping']]);
});

test('a warning of a library is a line of the log, and nothing is written to standard error', async () => {
  const child = launch(
    `async () => {
    process.emitWarning('an option is deprecated');
    setInterval(() => {}, 1_000);
    return { address: 'here', [Symbol.asyncDispose]: async () => {} };
  }`,
    { WANTED: 'x' },
  );
  let printed = '';
  child.stderr?.on('data', (chunk) => (printed += String(chunk)));
  const { lines } = await endOf(child, (message) => message.startsWith('warning') && child.kill('SIGTERM'));
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 40,
      err: expect.objectContaining({ message: 'an option is deprecated' }),
    }),
  );
  expect(printed).toBe('');
});
