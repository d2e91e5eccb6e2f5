import { describe, expect, test } from 'vitest';
import { readerWith, requireSeesAll, textWithLinks, viewOf } from './reader.ts';

const withScopes = (...scopes: string[]) => readerWith((scope) => scopes.includes(scope));
const token = 'A1b2C3d4E5'.repeat(5);

describe('a link in the text of somebody else', () => {
  test.each([
    ['plain', `see https://talk.example/interactions/${token}?x`],
    ['as JSON of PHP', String.raw`{"link":"https:\/\/talk.example\/interactions\/${token}"}`],
    [
      'as JSON without slashes',
      String.raw`{"link":"https:\u002F\u002Ftalk.example\u002Finteractions\u002F${token}"}`,
    ],
    ['in a URL in a URL', `next=https%253A%252F%252Ftalk.example%252Finteractions%252F${token}`],
    ['in a URL', `next=https%3A%2F%2Ftalk.example%2Finteractions%2F${token}`],
  ])('is hidden without the scope: %s', (_, text) => {
    const shown = textWithLinks(text, withScopes('personal-data:read'));
    expect(shown).toBe(text.replace(token, '[hidden]'));
    expect(textWithLinks(text, withScopes('interactions:write'))).toBe(text);
  });
});

test('a link whose end is cut off is hidden too, and the id of an interaction is not', () => {
  const reader = withScopes('personal-data:read');
  expect(textWithLinks(`/interactions/${token.slice(0, 44)}`, reader)).toBe('/interactions/[hidden]');
  const id = '/interactions/019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5b';
  expect(textWithLinks(id, reader)).toBe(id);
});

test('readers who see different answers have different views', () => {
  const views = [[], ['personal-data:read'], ['interactions:write']].map((scopes) =>
    viewOf(withScopes(...scopes)),
  );
  expect(new Set(views).size).toBe(3);
  expect(viewOf(withScopes('personal-data:read', 'interactions:write'))).toBe('');
});

test('a long answer goes on only for a reader who sees as much as before', () => {
  const [all, some] = [
    withScopes('personal-data:read', 'interactions:write'),
    withScopes('personal-data:read'),
  ];
  expect(() => requireSeesAll(some, all, '/headers/cookie')).not.toThrow();
  expect(() => requireSeesAll(all, some, '/headers/cookie')).toThrow('interactions:write');
  expect(() => requireSeesAll(some, withScopes(), '/headers/cookie')).toThrow('personal-data:read');
});
