import { validateDefinition } from '@parley/bot/definition';
import { expect, test } from 'vitest';
import { sampleRun } from './sample-run.ts';

test.each([
  ['Sample', 'How was it?'],
  ['Beispiel', 'Wie war es?'],
])('the sample of the branding is a valid definition: %s', (name, question) => {
  const { definition, context } = sampleRun(name, question);
  expect(validateDefinition(definition)).toMatchObject({ definition: { key: 'sample', name } });
  expect(context).toEqual({});
});
