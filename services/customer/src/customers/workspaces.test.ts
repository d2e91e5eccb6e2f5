import { expect, test } from 'vitest';
import { createWorkspaceCheck } from './workspaces.ts';

test('the 10,000 workspaces that were used last are cached', async () => {
  const asked: string[] = [];
  const check = createWorkspaceCheck({
    getWorkspace: async ({ id }) => {
      asked.push(id);
      return { id, name: '', allowedDomains: [] };
    },
  });
  for (let n = 0; n < 10_000; n += 1) await check(`w${n}`, 'test');
  await check('w0', 'test');
  await check('one more', 'test');
  expect(asked).toHaveLength(10_001);
  await check('w0', 'test');
  expect(asked).toHaveLength(10_001);
  await check('w1', 'test');
  expect(asked.at(-1)).toBe('w1');
});
