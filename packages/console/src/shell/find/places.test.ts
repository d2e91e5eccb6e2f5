import { expect, test } from 'vitest';
import { interactionIdIn, type Place, placesNamed } from './places.ts';

const place = (group: Place['group'], name: string, about?: string): Place => ({
  id: `${group} ${name}`,
  group,
  name,
  about,
  open: () => {},
});
const places = [
  place('bots', 'Tea survey', 'tea-survey'),
  place('bots', 'After the Tea', 'nps-follow-up'),
  place('bots', 'Élan', 'elan'),
  place('webhooks', 'https://shop.example/hooks/new'),
  place('actions', 'New bot'),
  place('screens', 'Bots'),
  place('screens', 'Webhooks'),
];
const named = (text: string) => placesNamed(text, places).map(({ name }) => name);

test.each([
  ['bot', ['Bots', 'New bot']],
  ['BOT new', ['New bot']],
  ['tea', ['Tea survey', 'After the Tea']],
  ['nps-fo', ['After the Tea']],
  ['elan', ['Élan']],
  ['élan', ['Élan']],
  ['hooks', ['https://shop.example/hooks/new']],
  ['shop.ex', ['https://shop.example/hooks/new']],
  ['ots', []],
  ['?!', []],
])('%j names %j', (text, names) => expect(named(text)).toEqual(names));

test('without a text there are all screens and actions', () => {
  expect(named('  ')).toEqual(['Bots', 'Webhooks', 'New bot']);
});

test('no group fills the list', () => {
  const many = Array.from({ length: 20 }, (_, index) => place('bots', `Bot ${index}`));
  const found = placesNamed('bot', [...many, place('webhooks', 'https://bot.example')]);
  expect(found.map(({ group }) => group).filter((group) => group === 'bots')).toHaveLength(6);
  expect(found.at(-1)?.name).toBe('https://bot.example');
});

test('an interaction is found by its id, also in an address', () => {
  const id = '0190b3c8-0000-7000-8000-00000000000a';
  expect(interactionIdIn(` ${id.toUpperCase()} `)).toBe(id);
  expect(interactionIdIn(`https://parley.example/console/w/x/interactions/${id}`)).toBe(id);
  for (const other of [id.slice(1), `https://parley.example/console/w/x/bots/${id}`, `${id} and more`])
    expect(interactionIdIn(other)).toBe(undefined);
});
