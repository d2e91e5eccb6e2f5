import { expect, test } from 'vitest';
import { de } from './de/de.ts';
import { en } from './en/en.ts';
import { languageOf } from './language.ts';

/** Words that are the same in both languages. */
const shared = new Set([
  'Bot',
  'Bot:',
  'Bots',
  'Filter',
  'Format',
  'Id',
  'Leader',
  'Link',
  'Live',
  '2 (live)',
  'Median',
  'Name',
  'Runbook',
  'Runbook: 2',
  'Schema',
  'Secret',
  'Shards',
  'Status',
  'Text',
  'Trace',
  'Version',
  'Version 2',
  'Webhooks',
  'Workspace',
]);

/** Returns every text of a catalogue by its path. Functions are called, with what they are mostly called with. */
function textsOf(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'function')
    return textsOf((value as (...given: unknown[]) => unknown)('2', '3', '4'), path);
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([name, inner]) => textsOf(inner, `${path}/${name}`));
}

test('German says everything in German', () => {
  const german = new Map(textsOf(de));
  const english = textsOf(en);
  expect([...german.keys()].toSorted()).toEqual(english.map(([path]) => path).toSorted());
  const same = english.filter(([path, text]) => german.get(path) === text && !shared.has(text));
  expect(same).toEqual([]);
});

test('the language is that of the browser, if the console has it', () => {
  const tags = ['de', 'de-AT', 'DE-ch', 'en-GB', 'den', 'fr', '', 'toString'];
  expect(tags.map(languageOf)).toEqual(['de', 'de', 'de', 'en', 'en', 'en', 'en', 'en']);
});
