import { expect, test } from 'vitest';
import { draft, valid } from '../../tests/definitions.ts';
import { changesBetween } from '../compare/changes.ts';
import { beginConversation } from '../engine/engine.ts';
import { sourceMark } from './places.ts';
import { placeholderFault, translationTable } from './table.ts';
import { applyTranslations, setTranslation } from './translate.ts';

const bot = draft([
  {
    id: 'hi',
    kind: 'say',
    text: { en: 'Hi {{customer.firstName|you}}!', de: 'Hallo {{customer.firstName|Sie}}!' },
  },
  {
    id: 'size',
    kind: 'ask',
    text: 'Which size?',
    input: {
      type: 'choice',
      choices: [
        { value: 's', label: 'Small' },
        { value: 'l', label: { en: 'Large', de: 'Groß' } },
      ],
      other: { label: 'Another' },
    },
    retry: { text: 'Please choose.' },
  },
  { id: 'end', kind: 'end', text: 'Bye' },
]);
const text = `${JSON.stringify(bot, null, 2)}\n`;
const rowsOf = (json: string, before?: unknown) => translationTable(JSON.parse(json), before).rows;
const wordingOf = (json: string, key: string, before?: unknown) =>
  rowsOf(json, before).find((row) => row.key === key)?.wordings['de'];

test('the table has each text that customers read under a name that outlives a move', () => {
  const { own, languages, rows, progress } = translationTable(bot);
  expect([own, languages]).toEqual(['en', ['de']]);
  expect(rows.map(({ key, wordings }) => [key, wordings['de']?.state])).toEqual([
    ['hi.text', 'done'],
    ['size.text', 'missing'],
    ['size.retry.text', 'missing'],
    ['size.input.choices.s', 'missing'],
    ['size.input.choices.l', 'done'],
    ['size.input.other', 'missing'],
    ['end.text', 'missing'],
  ]);
  expect(progress).toEqual({ de: { done: 2, missing: 5, stale: 0, faulty: 0 } });
  expect(translationTable(bot, undefined, ['fr', 'DE']).languages).toEqual(['de', 'fr']);
});

test('a translation changes its text and the mark of its source, and nothing else', () => {
  const once = setTranslation(text, { key: 'size.input.choices.s', language: 'de', text: 'Klein' });
  const both = setTranslation(once, { key: 'size.text', language: 'de', text: 'Welche Größe?' });
  expect(valid(JSON.parse(both)).steps[1]).toMatchObject({
    text: { en: 'Which size?', de: 'Welche Größe?' },
    input: { choices: [{ label: { en: 'Small', de: 'Klein' } }, {}] },
    translated: { de: { text: sourceMark('Which size?'), 'input.choices.s': sourceMark('Small') } },
  });
  const gone = ['size.text', 'size.input.choices.s'].reduce(
    (json, key) => setTranslation(json, { key, language: 'de', text: '' }),
    both,
  );
  expect(JSON.parse(gone).steps[1]).toMatchObject({ text: { en: 'Which size?' } });
  expect(JSON.parse(gone).steps[1].translated).toBe(undefined);
  expect(
    changesBetween(JSON.parse(text), JSON.parse(both)).steps.flatMap(({ values }) =>
      values.map(({ path }) => path),
    ),
  ).toEqual(['text', 'input.choices.0.label']);
});

test('a translation is stale when its source has changed since: by its mark, or by the version before', () => {
  const marked = setTranslation(text, { key: 'end.text', language: 'de', text: 'Tschüss' });
  expect(wordingOf(marked, 'end.text')?.state).toBe('done');
  const changed = marked.replace('"Bye"', '"See you"').replace('Hi {{', 'Hello {{');
  expect(wordingOf(changed, 'end.text')?.state).toBe('stale');
  expect(wordingOf(changed, 'hi.text')?.state).toBe('done');
  expect(wordingOf(changed, 'hi.text', bot)?.state).toBe('stale');
  expect(
    wordingOf(setTranslation(changed, { key: 'end.text', language: 'de', text: 'Bis bald' }), 'end.text')
      ?.state,
  ).toBe('done');
  const older = applyTranslations(text, [
    { key: 'end.text', language: 'de', text: 'Ciao', source: 'An older text' },
  ]);
  expect(wordingOf(older.text, 'end.text')?.state).toBe('stale');
});

test('a translation that names other values than its source is faulty, and does not count as done', () => {
  const written = setTranslation(text, { key: 'hi.text', language: 'de', text: 'Hallo!' });
  expect(wordingOf(written, 'hi.text')).toEqual({ text: 'Hallo!', state: 'faulty' });
  expect(translationTable(JSON.parse(written)).progress).toMatchObject({ de: { done: 1, faulty: 1 } });
  const changed = written.replace('Hi {{', 'Hello {{');
  expect(wordingOf(changed, 'hi.text')?.state).toBe('faulty');
});

test('yes and no without labels are texts to translate, and get both labels with the first translation', () => {
  const asked = draft([
    { id: 'again', kind: 'ask', text: 'Again?', input: { type: 'yesNo' } },
    { id: 'end', kind: 'end' },
  ]);
  const { rows } = translationTable(asked, undefined, ['de']);
  expect(rows.map(({ key, source }) => [key, source])).toEqual([
    ['again.text', 'Again?'],
    ['again.input.labels.yes', 'Yes'],
    ['again.input.labels.no', 'No'],
  ]);
  const yes = setTranslation(JSON.stringify(asked), {
    key: 'again.input.labels.yes',
    language: 'de',
    text: 'Ja',
  });
  const both = setTranslation(yes, { key: 'again.input.labels.no', language: 'de', text: 'Nein' });
  expect(valid(JSON.parse(yes)).steps[0]).toMatchObject({
    input: { labels: { yes: { de: 'Ja' }, no: 'No' } },
  });
  expect(valid(JSON.parse(both)).steps[0]).toMatchObject({
    input: {
      labels: { yes: { en: 'Yes', de: 'Ja' }, no: { en: 'No', de: 'Nein' } },
    },
  });
});

test('translations with other references, for unknown texts, or too long are not taken', () => {
  const given = [
    { key: 'hi.text', language: 'de', text: 'Hallo {{customer.lastName}}!' },
    { key: 'hi.text', language: 'fr', text: 'Bonjour {{ customer.firstName | vous }} !' },
    { key: 'none.text', language: 'de', text: 'Nichts' },
    { key: 'end.text', language: 'en', text: 'Other' },
    { key: 'end.text', language: 'klingon!', text: 'Qapla' },
    { key: 'size.input.other', language: 'de', text: 'x'.repeat(151) },
    { key: 'size.input.choices.l', language: 'de', text: 'Groß' },
  ];
  const { changed, faults, text: made } = applyTranslations(text, given);
  expect(changed).toBe(1);
  expect(JSON.parse(made).steps[0].text.fr).toBe('Bonjour {{ customer.firstName | vous }} !');
  expect(faults).toEqual([
    {
      key: 'hi.text',
      language: 'de',
      kind: 'placeholders',
      missing: ['customer.firstName'],
      added: ['customer.lastName'],
    },
    { key: 'none.text', language: 'de', kind: 'unknown-key' },
    { key: 'end.text', language: 'en', kind: 'own-language' },
    { key: 'end.text', language: 'klingon!', kind: 'not-a-language' },
    { key: 'size.input.other', language: 'de', kind: 'too-long', max: 150 },
  ]);
  expect(placeholderFault('{{answers.a}} {{answers.b|x}}', '{{answers.b}} {{answers.a|y}}')).toBe(undefined);
});

test('text and mark of a language have one spelling, whatever the file has', () => {
  const brazilian = text
    .replaceAll('"de":', '"pt-BR":')
    .replace('"Bye"', '{"en": "Bye", "PT-br": "Tchau", "de": "Ciao"}');
  const given = ['hi.text', 'size.text', 'end.text'].map((key) => ({
    key,
    language: 'pt-br',
    text: key === 'hi.text' ? 'Oi {{customer.firstName}}' : 'Outro',
  }));
  const { text: made } = applyTranslations(brazilian, given);
  const { languages, rows } = translationTable(JSON.parse(made));
  expect(languages).toEqual(['de', 'pt-BR']);
  for (const { key } of given)
    expect(rows.find((row) => row.key === key)?.wordings['pt-BR']?.state).toBe('done');
  const [hi, size, end] = JSON.parse(made).steps;
  expect([hi, size, end].map((step) => Object.keys(step.translated))).toEqual([
    ['pt-BR'],
    ['pt-BR'],
    ['PT-br'],
  ]);
  expect(size.text).toEqual({ en: 'Which size?', 'pt-BR': 'Outro' });
  const again = setTranslation(made.replace('"Bye"', '"See you"'), {
    key: 'end.text',
    language: 'pt-BR',
    text: 'Até',
  });
  expect(translationTable(JSON.parse(again)).progress['pt-BR']).toMatchObject({ stale: 0 });
  const gone = given.reduce(
    (json, { key }) => setTranslation(json, { key, language: 'pt-br', text: '' }),
    made,
  );
  expect(JSON.parse(gone).steps.map((step: object) => 'translated' in step)).toEqual([false, false, false]);
});

test('an import removes no translation that the file leaves empty', () => {
  const both = setTranslation(text, { key: 'end.text', language: 'de', text: 'Bye' });
  for (const empty of ['', ' \n']) {
    const given = ['hi.text', 'end.text', 'size.text', 'none.text'].map((key) => ({
      key,
      language: 'de',
      text: empty,
    }));
    expect(applyTranslations(both, given)).toEqual({ text: both, changed: 0, faults: [] });
  }
});

test('a text that is not translated is shown in the language of the bot, and the others in theirs', () => {
  const { text: german } = applyTranslations(text, [
    { key: 'size.text', language: 'de', text: 'Welche Größe?' },
  ]);
  const { entries, input } = beginConversation(valid(JSON.parse(german)), {
    customer: { id: '1' },
    context: {},
    now: 0,
    locale: 'de-AT',
  });
  expect(entries.map(({ body }) => body)).toEqual(['Hallo Sie!', 'Welche Größe?']);
  expect(input?.choices?.map(({ label }) => label)).toEqual(['Small', 'Groß']);
});
