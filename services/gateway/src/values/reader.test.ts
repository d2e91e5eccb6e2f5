import { describe, expect, test } from 'vitest';
import { readerWith, requireSeesAll, textWithLinks, viewOf } from './reader.ts';

const withScopes = (...scopes: string[]) => readerWith((scope) => scopes.includes(scope));
const token = 'A1b2C3d4E5'.repeat(5);

describe('a link in the text of somebody else', () => {
  test.each([
    ['plain', `see https://talk.example/interactions/${token}?x`],
    ['as JSON of PHP', String.raw`{"link":"https:\/\/talk.example\/interactions\/${token}"}`],
    ['in a URL', `next=https%3A%2F%2Ftalk.example%2Finteractions%2F${token}`],
  ])('is hidden without the scope: %s', (_, text) => {
    const shown = textWithLinks(text, withScopes('personal-data:read'));
    expect(shown).toBe(text.replace(token, '[hidden]'));
    expect(textWithLinks(text, withScopes('interactions:write'))).toBe(text);
  });
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
