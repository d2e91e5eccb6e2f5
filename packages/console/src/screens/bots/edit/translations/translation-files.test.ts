import { translationTable } from '@parley/bot/translations/table';
import { expect, test } from 'vitest';
import { en } from '../../../../texts/en/en.ts';
import { faultWords, takeTranslations, translationsFile } from './translation-files.ts';

const text = '{"key": "k", "steps": [{"id": "end", "kind": "end", "text": "Bye {{context.a}}"}]}';
const table = translationTable(JSON.parse(text), undefined, ['de']);

test.each(['csv', 'xliff'] as const)('a file of %s comes back with its translations', async (format) => {
  const { name, content } = translationsFile(format, table, 'de', 'k');
  expect(name).toBe(format === 'csv' ? 'k.csv' : 'k.de.xlf');
  const written = await content.text();
  const translated =
    format === 'csv'
      ? written.replace(',,missing', ',Ade {{context.a}},')
      : written.replace('</source>', '</source><target>Ade <ph id="r1" disp="{{context.a}}"/></target>');
  const taken = await takeTranslations(new Blob([translated]), () => text);
  expect(taken).toMatchObject({ changed: 1, faults: [] });
  expect(JSON.parse('text' in taken ? taken.text : '').steps[0].text).toEqual({
    en: 'Bye {{context.a}}',
    de: 'Ade {{context.a}}',
  });
});

test('what is not taken is said in words, and so is a file that is none', async () => {
  const taken = await takeTranslations(
    new Blob(['key,de\nend.text,Ade {{context.b}}\nx.text,y\n']),
    () => text,
  );
  const faults = 'faults' in taken ? taken.faults : [];
  expect(faults.map((fault) => faultWords(fault, en.translations))).toEqual([
    'It lacks {{context.a}}. The source does not name {{context.b}}.',
    'The bot has no such text.',
  ]);
  const other = 'key,fr\na.text,Un\nb.text,Deux\n';
  expect(await takeTranslations(new Blob([other]), () => text)).toEqual({ fault: 'otherBot' });
  expect(
    await takeTranslations(new Blob([`${other}end.text,Au revoir {{context.a}}`]), () => text),
  ).toMatchObject({
    changed: 1,
  });
  expect(await takeTranslations(new Blob(['<a>']), () => text)).toEqual({ fault: 'notRead' });
  expect(await takeTranslations(new Blob([' '.repeat(5_000_000)]), () => text)).toEqual({
    fault: 'tooLarge',
  });
});
