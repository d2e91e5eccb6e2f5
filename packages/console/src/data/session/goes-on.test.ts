import type { CallerSession } from '@parley/client';
import { expect, test } from 'vitest';
import { goesOn } from './goes-on.ts';

const scopes = ['webhooks:read'];
const sessionOf = (type: 'person' | 'portal', id: string, webhookIds: string[] | null = null) =>
  ({ type, id, name: 'Ada', workspaces: [{ id: 'w', scopes }], webhookIds }) as unknown as CallerSession;

test('a person goes on with the own work only, whatever the name', () => {
  expect(goesOn(sessionOf('person', 'a'), sessionOf('person', 'a'))).toBe(true);
  expect(goesOn(sessionOf('person', 'b'), sessionOf('person', 'a'))).toBe(false);
});

test('another portal link goes on if it has equal rights', () => {
  expect(goesOn(sessionOf('portal', 'b'), sessionOf('portal', 'a'))).toBe(true);
  expect(goesOn(sessionOf('portal', 'b', ['x']), sessionOf('portal', 'a', ['x']))).toBe(true);
  expect(goesOn(sessionOf('portal', 'b', ['x']), sessionOf('portal', 'a'))).toBe(false);
});
