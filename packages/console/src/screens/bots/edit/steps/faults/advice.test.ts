import { messages, reasons } from '@parley/bot/messages';
import { jsonMessages } from '@parley/runtime/json/json';
import { faultMessages } from '@parley/runtime/zod-faults';
import { expect, test } from 'vitest';
import { brokenDefinitions } from '../../../../../../../bot/tests/broken-definitions.ts';
import { checkDefinition, keyMessages, type Mark } from '../../check.ts';
import { adviceOf, fieldsOf, marksByStep, messageName, stepOf } from './advice.ts';

const marksOf = (steps: object[]) =>
  checkDefinition(JSON.stringify({ schemaVersion: 1, key: 'k', name: 'n', type: 't', steps })).marks;
const end = { id: 'end', kind: 'end' };

const tables = { messages, reasons, faultMessages, jsonMessages, keyMessages };

test.each(Object.entries(tables))('each message is recognised with its values, in %s', (_name, table) => {
  const forms: [string, string | ((...values: never[]) => string)][] = Object.entries(table);
  for (const [name, form] of forms) {
    const values = ['3', 'b b', '"c"'].slice(0, form.length);
    const message = typeof form === 'string' ? form : form(...(values as never[]));
    expect(messageName(message), message).toBe(name);
    const [english, german] = [adviceOf(message, 'en'), adviceOf(message, 'de')];
    expect([english, german], message).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
    expect(german).not.toBe(english);
  }
});

test.each(brokenDefinitions)('the fault has words that say what to do: %s', (_name, definition) => {
  const { marks } = checkDefinition(JSON.stringify(definition));
  expect(marks).toHaveLength(1);
  for (const { message } of marks) {
    expect(adviceOf(message, 'en')).toBeDefined();
    expect(adviceOf(message, 'de')).not.toBe(adviceOf(message, 'en'));
  }
});

test.each<[string, string, object[]]>([
  ['Write something here.', 'Schreiben Sie hier etwas.', [{ id: 'a', kind: 'say', text: '' }, end]],
  [
    'There is no step “x”. Choose another one.',
    'Es gibt keinen Schritt „x“. Wählen Sie einen anderen.',
    [{ id: 'a', kind: 'say', text: 'A', next: 'x' }, end],
  ],
  [
    'Choose at most 10.',
    'Wählen Sie höchstens 10.',
    [{ id: 'a', kind: 'ask', text: 'A', input: { type: 'rating', max: 11 } }, end],
  ],
  [
    'This must be true or false. Change it.',
    'Hier muss stehen: wahr oder falsch (true, false). Ändern Sie es.',
    [{ id: 'a', kind: 'ask', text: 'A', input: { type: 'nps' }, required: 'no' }, end],
  ],
  [
    'Add more: at least 1 entry.',
    'Ergänzen Sie: mindestens 1 Eintrag.',
    [{ id: 'a', kind: 'ask', text: 'A', input: { type: 'choice', choices: [] } }, end],
  ],
  [
    '“f f”: Use letters, digits, _ and -, at most 64, and begin with a letter.',
    '„f f“: Nehmen Sie Buchstaben, Ziffern, _ und -, höchstens 64, zuerst einen Buchstaben.',
    [{ id: 'a', kind: 'set', evaluation: { 'f f': '1' } }, end],
  ],
  [
    'This condition cannot work: “x” is not declared',
    'Diese Bedingung kann nicht funktionieren: „x“ ist nicht deklariert, bei Zeichen 1; es gibt answers, context',
    [{ id: 'a', kind: 'say', text: 'A', when: 'x == 1' }, end],
  ],
  [
    'This condition cannot work: these types do not fit together: string > int, at character 20; int(...) or',
    'Diese Bedingung kann nicht funktionieren: Diese Typen passen nicht zusammen: string > int, bei Zeichen 20; int(…) oder',
    [{ id: 'a', kind: 'say', text: 'A', when: 'customer.firstName > 3' }, end],
  ],
  [
    'answers.a is never "rot", at character 14. Compare it with one of its values.',
    'answers.a ist nie "rot", bei Zeichen 14. Vergleichen Sie es mit einem seiner Werte.',
    [
      {
        id: 'a',
        kind: 'ask',
        text: 'A',
        input: { type: 'choice', choices: [{ value: 'red', label: 'Red' }] },
      },
      { id: 'b', kind: 'say', text: 'B', when: 'answers.a == "rot"' },
      end,
    ],
  ],
])('%s', (english, german, steps) => {
  const found = marksOf(steps).map(({ message }) => [adviceOf(message, 'en'), adviceOf(message, 'de')]);
  expect(found).toEqual([[expect.stringContaining(english), expect.stringContaining(german)]]);
});

test('a text that is not JSON has words that say what to do', () => {
  const [mark] = checkDefinition('{"key": "a",}').marks;
  expect(mark && adviceOf(mark.message, 'de')).toContain('Ein Komma am Ende ist nicht erlaubt.');
});

test('a fault is at its step, and in its field', () => {
  const mark = { pointer: '/steps/12/input/choices/0/label' };
  expect([stepOf(mark), fieldsOf(mark)]).toEqual([12, ['input', 'choices', '0', 'label']]);
  expect(stepOf({ pointer: '/key' })).toBeUndefined();
  expect(adviceOf('Another fault', 'en')).toBeUndefined();
});

test('steps whose marks are the same keep them', () => {
  const marks = marksOf([{ id: 'a', kind: 'say', text: '' }, { id: 'b', kind: 'say', text: '' }, end]);
  const first = marksByStep(marks);
  const next = marksByStep(JSON.parse(JSON.stringify(marks.slice(1))) as Mark[], first);
  expect(next[1]).toBe(first[1]);
  expect(next[0]).toEqual([]);
});
