import { expect, test } from 'vitest';
import { keysOf, localeOf, readSteps, textIn, wordingOf } from './step-list.ts';

test('a step that is the same as before is the same object', () => {
  const first = readSteps('{"steps": [{"id": "a"}, {"id": "b"}]}');
  const next = readSteps('{"steps": [{"id": "c"}, {"id":"b"}, 7]}', first);
  expect(next?.steps[1]).toBe(first?.steps[1]);
  expect(next?.steps).toEqual([{ id: 'c' }, { id: 'b' }, {}]);
  expect(next && keysOf([...next.steps, { id: 'b' }])).toEqual(['c 0', 'b 0', ' 0', 'b 1']);
});

test('a member that is the same as before is the same object', () => {
  const first = readSteps('{"steps": [{"id": "a", "text": "A", "next": ["b"], "input": {"type": "nps"}}]}');
  const next = readSteps(
    '{"steps": [{"id": "a", "text": "B", "next": ["c"], "input": {"type":"nps"}}]}',
    first,
  );
  expect(next?.steps).toEqual([{ id: 'a', text: 'B', next: ['c'], input: { type: 'nps' } }]);
  expect(next?.steps[0]?.['input']).toBe(first?.steps[0]?.['input']);
});

test.each(['', '{', '[]', '{"steps": {}}', '{"steps": [], "steps": []}'])(
  'without a list of steps: %s',
  (text) => {
    expect(readSteps(text)).toBeUndefined();
  },
);

test('a text is shown in the language of the bot', () => {
  expect(wordingOf('Hi', 'de')).toEqual({ text: 'Hi', tag: undefined, others: [] });
  expect(wordingOf({ en: 'Hi', DE: 'Hallo' }, localeOf({ locale: 'de' }))).toEqual({
    text: 'Hallo',
    tag: 'DE',
    others: ['en'],
  });
  expect(wordingOf({ fr: 'Salut' }, localeOf({}))).toEqual({ text: '', tag: 'en', others: ['fr'] });
  expect(wordingOf(7, 'en').text).toBe('');
});

test('a member that is no text is nothing', () => {
  expect(['a', 'b', 'c'].map((name) => textIn({ a: 'x', b: 7 }, name))).toEqual(['x', '', '']);
});
