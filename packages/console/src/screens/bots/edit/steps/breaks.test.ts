import { expect, test } from 'vitest';
import { brokenBetween } from './breaks.ts';

test('a change breaks what refers to what is gone, and a text that cannot be read breaks nothing', () => {
  const end = { id: 'end', kind: 'end', text: 'Bye, {{context.name}}' };
  const before = JSON.stringify({ context: [{ name: 'name' }], steps: [end] });
  const after = JSON.stringify({ context: [], steps: [end] });
  expect(brokenBetween(before, after)).toMatchObject([{ step: 0, kind: 'text' }]);
  expect([brokenBetween(after, before), brokenBetween(before, '{'), brokenBetween('', after)]).toEqual([
    [],
    [],
    [],
  ]);
});
