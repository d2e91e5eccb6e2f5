import { expect, test } from 'vitest';
import { changeExisting, existing } from './find-webhook.ts';

const wanted = { workspaceId: 'w', id: '019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5b' };

/** A webhook that others change before each change of ours, so many times. */
function contended(times: number) {
  let left = times;
  return {
    find: async () => ({ version: times - left + 1 }),
    change: async ({ version }: { version: number }) => {
      if (left === 0) return version;
      left -= 1;
      return undefined;
    },
  };
}

test('a change that lost a race is decided anew on what the other has made', async () => {
  const { find, change } = contended(19);
  expect(await changeExisting(find, wanted, change)).toBe(20);
});

test('one that loses again and again is given up', async () => {
  const { find, change } = contended(1_000);
  await expect(changeExisting(find, wanted, change)).rejects.toMatchObject({
    code: 'failed_precondition',
    type: 'lost-race',
  });
});

test('who names a version changes that one only', async () => {
  const { find, change } = contended(1);
  await expect(changeExisting(find, { ...wanted, ifVersion: 1 }, change)).rejects.toMatchObject({
    code: 'aborted',
  });
});

test('what is not there is not found', async () => {
  await expect(existing(async () => undefined, wanted)).rejects.toMatchObject({ code: 'not_found' });
});
