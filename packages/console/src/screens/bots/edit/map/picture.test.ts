import { inputTypes, type Schema, stepKinds } from '@parley/bot/editing/forms';
import { newStep } from '@parley/bot/editing/new-values';
import schemaOfBots from '@parley/bot/schema' with { type: 'json' };
import { expect, test } from 'vitest';
import { pictureOf } from './picture.ts';

const schema = schemaOfBots as unknown as Schema;
const pictureOfNew = (chosen: Parameters<typeof newStep>[1]) =>
  pictureOf(
    newStep(schema, chosen, 'id', (name) => name),
    'en',
  );

test('each type of questions has a picture of how it is answered', () => {
  const pictures = inputTypes(schema).map((type) => [type, pictureOfNew({ kind: 'ask', type })]);
  expect(Object.fromEntries(pictures)).toEqual({
    text: 'line',
    longText: 'lines',
    choice: 'oneOf',
    multiChoice: 'several',
    ranking: 'order',
    matrix: 'table',
    rating: 'scale',
    nps: 'scale',
    number: 'line',
    date: 'line',
    time: 'line',
    email: 'line',
    phone: 'line',
    url: 'line',
    yesNo: 'either',
    consent: 'tick',
  });
});

test('each other kind of steps has a picture, and a faulty question that of any question', () => {
  const pictures = stepKinds(schema).map((one) => [one.kind, pictureOfNew(one)]);
  expect(Object.fromEntries(pictures)).toMatchObject({
    say: 'message',
    set: 'computed',
    branch: 'decision',
    end: 'end',
    llm: 'model',
  });
  expect([pictureOf({ kind: 'ask', input: { type: 'unknown' } }, 'en'), pictureOf({}, 'en')]).toEqual([
    'question',
    'question',
  ]);
});
