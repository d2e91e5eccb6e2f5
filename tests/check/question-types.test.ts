import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { questionTypes } from '@parley/bot/question-types';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Where types are declared: one folder for each in the bot language, one file for each in the widget. */
const homes = ['packages/bot/src/questions/', 'packages/widget/src/ui/questions/'];
/** It maps the types of other products, which have these names too, to each type. */
const importer = 'packages/bot-import/src/';

/** Names that code uses for other things, too. */
const commonWords = new Set(['text', 'number', 'email', 'phone', 'url', 'date', 'time', 'choice']);

const names = questionTypes.map(({ name }): string => name);
const anyName = names.join('|');

const decision = new RegExp(`case '(${anyName})':|\\b(type|kind)\\s*[!=]==\\s*'(${anyName})'`, 'g');
/** A name as an element of a list, and as a key of an object. */
const element = new RegExp(`(?<![:=] )'(${anyName})'(?=\\s*[,\\])|])`, 'g');
const key = new RegExp(`\\b(${anyName}):`, 'g');

/** Returns where a file decides by a type, or lists types: two names within three lines, one of them no common word. */
function listsIn(file: string, source: string): string[] {
  const decisions = Array.from(source.matchAll(decision))
    // The kind of an evaluation key is a text if its values are not counted. A figure of the protocol has a name, too.
    .filter(([, , subject, name = '']) => subject !== 'kind' || !commonWords.has(name))
    .filter(([text]) => !(text.startsWith('case') && source.includes('.$case')))
    .map(([text]) => `${file}: ${text}`);
  const lists = [element, key].flatMap((pattern) => {
    const named = Array.from(source.matchAll(pattern), ({ 1: name = '', index }) => ({
      name,
      line: source.slice(0, index).split('\n').length,
    }));
    return named.filter(({ name, line }) =>
      named.some(
        (other) =>
          other.name !== name &&
          Math.abs(other.line - line) <= 2 &&
          !(commonWords.has(name) && commonWords.has(other.name)),
      ),
    );
  });
  return [...decisions, ...lists.map(({ name }) => `${file}: ${name}`)];
}

test('no file but those of the types lists types of questions, or decides by one', () => {
  const files = globSync(['packages/*/src/**/*.{ts,tsx}', 'services/*/src/**/*.ts'], { cwd: root }).filter(
    (file) =>
      !file.includes('.test.') &&
      !file.includes('/gen/') &&
      ![...homes, importer].some((home) => file.startsWith(home)),
  );
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) => listsIn(file, readFileSync(join(root, file), 'utf8')));
  expect(found.toSorted()).toEqual([
    // The evaluation and the texts of a sample.
    'packages/cli/src/conversation/starter.ts: rating',
    'packages/cli/src/conversation/starter.ts: text',
    // Columns of days, as the API names them.
    'packages/console/src/screens/bots/insight/days.tsx: date',
    'packages/console/src/screens/bots/insight/days.tsx: nps',
    // Abbreviations in names of keys.
    'packages/console/src/ui/words.ts: nps',
    'packages/console/src/ui/words.ts: url',
    // A part of a model's message.
    "services/interaction/src/model/model.ts: type === 'text'",
  ]);
});

test.each([
  "switch (type) {\n  case 'nps':\n    return 1;\n}",
  "if (input.type === 'choice') return;",
  "const pressed = ['choice', 'yesNo'];",
  'const forms = {\n  text: 1,\n  longText: 2,\n};',
])('such a list is found: %j', (source) => {
  expect(listsIn('file.ts', source)).not.toEqual([]);
});
