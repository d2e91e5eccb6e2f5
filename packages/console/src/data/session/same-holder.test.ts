import type { CallerSession } from '@parley/client';
import { expect, test } from 'vitest';
import { isSameHolder } from './same-holder.ts';

const scopes = ['webhooks:read'];
const sessionOf = (type: 'person' | 'portal', id: string, webhookIds: string[] | null = null) =>
  ({ type, id, name: 'Ada', workspaces: [{ id: 'w', scopes }], webhookIds }) as unknown as CallerSession;

test('a person goes on with the own work only, whatever the name', () => {
  expect(isSameHolder(sessionOf('person', 'a'), sessionOf('person', 'a'))).toBe(true);
  expect(isSameHolder(sessionOf('person', 'b'), sessionOf('person', 'a'))).toBe(false);
});

test('another portal link goes on if it has equal rights', () => {
  expect(isSameHolder(sessionOf('portal', 'b'), sessionOf('portal', 'a'))).toBe(true);
  expect(isSameHolder(sessionOf('portal', 'b', ['x']), sessionOf('portal', 'a', ['x']))).toBe(true);
  expect(isSameHolder(sessionOf('portal', 'b', ['x']), sessionOf('portal', 'a'))).toBe(false);
});
