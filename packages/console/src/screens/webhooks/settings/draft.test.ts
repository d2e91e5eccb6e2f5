import type { Webhook, WebhookOptions } from '@parley/client';
import { expect, test } from 'vitest';
import { changeOf, draftOf, headersIn } from './draft.ts';

const webhook: Webhook = {
  id: 'w',
  url: 'https://a.example/',
  isActive: true,
  event: 'InteractionCompleted',
};
const options: WebhookOptions = {
  headerNames: ['x-key'],
  rateLimit: { perSecond: 10, burst: 20 },
  ordering: 'none',
  asymmetricSignature: false,
  publicKeys: [],
  events: ['InteractionCompleted'],
  filter: null,
  envelope: false,
};
const before = draftOf(webhook, options);

test('a form that is as the webhook changes nothing', () => {
  expect(changeOf(before, before)).toEqual({});
});

test.each([
  [{ url: 'https://b.example/' }, { url: 'https://b.example/' }],
  [{ secretToken: 's' }, { secretToken: 's' }],
  [{ filter: " event.type == 'x' " }, { filter: "event.type == 'x'" }],
  [{ perSecond: '', burst: '' }, { rateLimit: null }],
  [{ burst: '5' }, { rateLimit: { perSecond: 10, burst: 5 } }],
  [{ headers: '' }, { headers: {} }],
  [
    { envelope: true, ordering: 'strict' as const },
    { envelope: true, ordering: 'strict' },
  ],
])('%o sends only %o', (edited, change) => {
  expect(changeOf({ ...before, ...edited }, before)).toEqual(change);
});

test('a filter that is emptied is removed', () => {
  const filtered = { ...before, filter: 'true' };
  expect(changeOf({ ...filtered, filter: ' ' }, filtered)).toEqual({ filter: null });
});

test('header fields are read line by line', () => {
  expect(headersIn('x-key: a:b \n\n y: \nz')).toEqual({ 'x-key': 'a:b', y: '', z: '' });
});
