import { expect, test } from 'vitest';
import { runCommand } from './run-command.ts';

test('a cursor that cannot be saved is a failure before anything is exported', async () => {
  const env = {
    PARLEY_URL: 'http://127.0.0.1:1',
    PARLEY_API_KEY: 'prl_key_a',
    PARLEY_API_SECRET: 'prl_sec_a',
  };
  const { exitCode, stdout, stderr } = await runCommand(
    ['export', '--cursor-file', '/no/such/folder/cursor'],
    {
      cwd: '/',
      env,
    },
  );
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^parley: \/no\/such\/folder\/cursor cannot be written: [^\n]+\n$/);
});
