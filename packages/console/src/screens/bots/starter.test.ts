import { validateDefinition } from '@parley/bot/definition';
import { expect, test } from 'vitest';
import { keyOf, starter } from './starter.ts';

test.each([
  ['After a purchase', 'after-a-purchase'],
  ['  Zufriedenheit: Größe & Paßform ', 'zufriedenheit-grosse-passform'],
  ['Café №7', 'cafe-no7'],
  ['日本', ''],
])('the key of %j is %j', (name, key) => {
  expect(keyOf(name)).toBe(key);
});

test.each(['en', 'de'])('a bot begins with a definition that can be published: %s', (locale) => {
  const definition = starter(keyOf('First one'), 'First one', locale, 'How was it?');
  expect(validateDefinition(definition)).toMatchObject({ definition: { key: 'first-one' } });
});
