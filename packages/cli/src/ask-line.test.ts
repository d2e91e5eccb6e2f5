import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askLine } from './ask-line.ts';

function asked(keys: string, isEnd = false): Promise<string> {
  const input = new PassThrough();
  const output = new PassThrough();
  const answer = askLine('Name?', 'Feedback', input, output);
  if (isEnd) input.end(keys);
  else input.write(keys);
  return answer;
}

test.each([
  ['Your visit\r', 'Your visit'],
  ['  Your visit  \r', 'Your visit'],
  ['\r', 'Feedback'],
])('%j answers %j', async (keys, name) => {
  expect(await asked(keys)).toBe(name);
});

test.each([
  ['Ctrl-C', '\x03', false],
  ['Ctrl-D', '\x04', false],
  ['the end of the input', '', true],
])('%s gives up, and does not wait', async (_name, keys, isEnd) => {
  await expect(asked(keys, isEnd)).rejects.toMatchObject({ type: 'given-up', exitCode: 1 });
});
