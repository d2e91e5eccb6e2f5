import { expect, test } from 'vitest';
import { between, characters, checkRequest, commonRules, anyKeys, resourceId } from './request-rules.ts';

const workspaceId = '019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5b';

function faultsOf(request: unknown, rules = {}): unknown {
  try {
    checkRequest(request, rules);
    return [];
  } catch (error) {
    const { code, faults } = error as { code: string; faults?: { pointer: string }[] };
    return faults?.map(({ pointer }) => pointer) ?? code;
  }
}

test('each fault of a request has its pointer, in lists and nested messages too', () => {
  const rules = { ...commonRules, name: characters(1, 3), rate: between(0, 1) };
  const good = { workspaceId, name: '😀😀😀', rate: 1, customerId: undefined, nested: null, list: ['a'] };
  expect(faultsOf(good, rules)).toEqual([]);
  const bad = {
    workspaceId: 'w',
    rate: Number.NaN,
    session: { workspaceId: '', subject: { $case: 'customerId', value: 'a\0' } },
    list: ['a', '\0'],
    entries: [{ name: '' }, { name: 'abcd' }],
    page: { page: 0, pageSize: 51 },
  };
  expect(faultsOf(bad, rules)).toEqual([
    '/workspaceId',
    '/rate',
    '/session/workspaceId',
    '/session/subject/value',
    '/list/1',
    '/entries/0/name',
    '/entries/1/name',
    '/page/page',
    '/page/pageSize',
  ]);
});

test('a resource id that is not a UUID is not found', () => {
  expect(faultsOf({ id: workspaceId }, { id: resourceId })).toEqual([]);
  expect(faultsOf({ id: 'x' }, { id: resourceId })).toBe('not_found');
});

test.each(['', '.', '..', 'a\nb', 'x'.repeat(256), '😀'.repeat(256), 'x'.repeat(100_000)])(
  'the customer id %j is rejected',
  (customerId) => {
    expect(faultsOf({ customerId }, commonRules)).toEqual(['/customerId']);
  },
);

test.each(['a', '...', 'a/b c?%', '😀'.repeat(255)])('the customer id %j is accepted', (customerId) => {
  expect(faultsOf({ customerId }, commonRules)).toEqual([]);
});

test('a map may have any keys, but no NUL in its values', () => {
  const rules = { ...commonRules, fields: anyKeys };
  expect(faultsOf({ fields: { workspaceId: 'w' } }, rules)).toEqual([]);
  expect(faultsOf({ fields: { 'a/b': '\0' } }, rules)).toEqual(['/fields/a~1b']);
});

test('times must fit into a Timestamp, and bytes have any content', () => {
  const at = (ms: number) => faultsOf({ at: new Date(ms), bytes: Buffer.from('\0') });
  expect([at(0), at(253_402_300_799_999), at(-62_135_596_800_000)]).toEqual([[], [], []]);
  expect([at(Number.NaN), at(253_402_300_800_000)]).toEqual([['/at'], ['/at']]);
});
