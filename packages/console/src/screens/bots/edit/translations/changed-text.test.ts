import { translationTable } from '@parley/bot/translations/table';
import { expect, test } from 'vitest';
import { changedText } from './changed-text.ts';

const tableOf = (...texts: (string | Record<string, string>)[]) =>
  translationTable({ steps: texts.map((text, index) => ({ id: `s${index}`, kind: 'say', text })) });
const hi = { en: 'Hi', de: 'Hallo', fr: 'Salut' };
const bye = { en: 'Bye', de: 'Ade', fr: 'Ciao' };

test('a translation that differs is found, in the shown language first', () => {
  const before = tableOf(hi, bye);
  expect(changedText(before, before, 'de')).toBeUndefined();
  const after = tableOf({ ...hi, de: 'Moin' }, { ...bye, fr: 'Adieu' });
  expect(changedText(before, after, 'de')).toEqual({ key: 's0.text', language: 'de' });
  expect(changedText(before, after, 'fr')).toEqual({ key: 's1.text', language: 'fr' });
});

test('a translation of a language that is new is found, not one of a language that is gone', () => {
  const [fewer, more] = [tableOf('Hi', 'Bye'), tableOf('Hi', bye)];
  expect(changedText(fewer, more, '')).toEqual({ key: 's1.text', language: 'de' });
  expect(changedText(more, fewer, 'fr')).toBeUndefined();
});

test('without another translation, a text whose source differs is found', () => {
  const after = tableOf(hi, { ...bye, en: 'See you' });
  expect(changedText(tableOf(hi, bye), after, 'de')).toEqual({ key: 's1.text', language: 'de' });
});
