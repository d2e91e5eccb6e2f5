import { expect, test } from 'vitest';
import { hiddenMark } from '../../../ui/hidden-text.ts';
import { quotesOf } from './newest-answers.ts';

const at = '2026-11-21T09:30:00.000000';
const said = (id: string, evaluation: Record<string, string>, botVersion = 1) => ({
  id,
  createdAt: at,
  data: JSON.stringify({ evaluation }),
  details: { botVersion } as never,
});
const idsOf = (...args: Parameters<typeof quotesOf>) =>
  quotesOf(...args).quotes.map(({ interactionId }) => interactionId);

test('the newest answers of a key come first, those without one are left out, and there are at most five', () => {
  const all = [
    said('a', { why: 'Slow' }),
    said('b', { name: 'B' }),
    said('c', { why: ' ' }),
    said('d', { why: 'Far' }),
  ];
  expect(quotesOf(all, 'why', undefined)).toEqual({
    quotes: [
      { interactionId: 'a', text: 'Slow', at },
      { interactionId: 'd', text: 'Far', at },
    ],
    isHidden: false,
  });
  const many = Array.from({ length: 9 }, (_, index) => said(`n${index}`, { why: 'x' }));
  expect(idsOf(many, 'why', undefined)).toEqual(['n0', 'n1', 'n2', 'n3', 'n4']);
  expect(quotesOf([said('a', {}), { ...said('b', {}), data: null }], 'toString', undefined).quotes).toEqual(
    [],
  );
});

test('another version has other answers', () => {
  const all = [said('a', { why: 'Slow' }, 2), said('b', { why: 'Far' }, 1)];
  expect(idsOf(all, 'why', 1)).toEqual(['b']);
});

test('answers that the person may not see are hidden, and that is said', () => {
  const hidden = said('a', { why: hiddenMark });
  expect(quotesOf([hidden], 'why', undefined)).toEqual({ quotes: [], isHidden: true });
  expect(quotesOf([], 'why', undefined)).toEqual({ quotes: [], isHidden: false });
});
