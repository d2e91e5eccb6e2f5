import fc from 'fast-check';
import { expect, test } from 'vitest';
import { receiverAddressOf, type Destination, deliveryRequest, type OutgoingDelivery } from './request.ts';
import { newPrivateKey, newSigningSecret, signerOf } from './signing.ts';

const outgoing: OutgoingDelivery = {
  workspaceId: '0192f0c1-0000-7000-8000-000000000001',
  webhookId: '0192f0c1-0000-7000-8000-000000000002',
  deliveryId: '0192f0c1-0000-7000-8000-000000000003',
  eventId: '0192f0c1-0000-7000-8000-000000000004',
  event: 'InteractionCompleted',
  isTest: false,
  isTestInteraction: false,
  attempt: 3,
  at: new Date('2026-11-21T09:30:00.900Z'),
  body: Buffer.from('{"customer_id":"c"}'),
  traceparent: undefined,
};

const destination: Destination = {
  ...receiverAddressOf('https://example.com/hook', 'token', 'secretToken'),
  signers: [signerOf(newSigningSecret())],
  headers: {},
};

const toSend = (url: string, secretToken = 'token') => {
  const address = receiverAddressOf(url, secretToken, 'secretToken');
  return deliveryRequest(outgoing, { ...destination, ...address });
};

test('the secret token arrives under its parameter, whatever it is made of', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 256 }), (token) => {
      const { origin, path } = toSend('https://example.com/hook?a=1&b=x%20y', token);
      const received = new URL(origin + path).searchParams;
      expect(Object.fromEntries(received)).toEqual({ a: '1', b: 'x y', secretToken: token });
    }),
  );
});

test('other parameters stay, in order and also when repeated', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,5}$/), fc.string({ unit: 'grapheme' }))),
      (pairs) => {
        const given = new URL('https://example.com/hook');
        for (const [name, value] of pairs) given.searchParams.append(name, value);
        const { origin, path } = toSend(given.href);
        expect([...new URL(origin + path).searchParams]).toEqual([...pairs, ['secretToken', 'token']]);
      },
    ),
  );
});

test('the rest of the query keeps its encoding', () => {
  expect(toSend('https://example.com/?a=x%20y&b&c=%7E').path).toBe('/?a=x%20y&b&c=%7E&secretToken=token');
});

test('a parameter of the same name in the URL gives way', () => {
  const path = (query: string): string => toSend(`https://example.com/?${query}`).path;
  expect(path('secretToken=old&secretToken=older&x=1')).toBe('/?x=1&secretToken=token');
  expect(path('a=x%20y&secret%54oken&b&c=%7E')).toBe('/?a=x%20y&b&c=%7E&secretToken=token');
  expect(path('secretToken')).toBe('/?secretToken=token');
  expect(path('?secretToken=a&secretTokens=b')).toBe('/??secretToken=a&secretTokens=b&secretToken=token');
});

test('the fragment is dropped, path and port stay', () => {
  const { origin, path } = toSend('http://Example.com:8080/a/b%2Fc?q#part');
  expect(origin).toBe('http://example.com:8080');
  expect(path).toBe('/a/b%2Fc?q&secretToken=token');
});

test('the parameter has the name that the deployment chose', () => {
  expect(receiverAddressOf('https://example.com/hook', 'token', 'key').path).toBe('/hook?key=token');
});

test('the body is the very bytes that were given', () => {
  expect(toSend('https://example.com/').body).toBe(outgoing.body);
});

test('headers have event, delivery and attempt, and nothing else', () => {
  const { headers } = deliveryRequest(outgoing, destination);
  expect(headers).toEqual({
    'content-type': 'application/json',
    'user-agent': 'Parley-Webhooks/1',
    'webhook-id': outgoing.eventId,
    'webhook-timestamp': '1795253400',
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    'x-parley-event': 'InteractionCompleted',
    'x-parley-workspace-id': outgoing.workspaceId,
    'x-parley-webhook-id': outgoing.webhookId,
    'x-parley-delivery-id': outgoing.deliveryId,
    'x-parley-attempt': '3',
  });
  const markOf = (marks: object) =>
    deliveryRequest({ ...outgoing, ...marks }, destination).headers['x-parley-test'];
  expect(markOf({ isTest: true })).toBe('true');
  expect(markOf({ isTestInteraction: true })).toBe('1');
});

test("a webhook's own header fields go out too, and cannot take the place of ours", () => {
  const ours = deliveryRequest(outgoing, destination).headers;
  const taken = Object.fromEntries(Object.keys(ours).map((name) => [name, 'theirs']));
  const own = { authorization: 'Bearer of the receiver', 'x-tier': 'gold' };
  const { headers } = deliveryRequest(outgoing, { ...destination, headers: { ...taken, ...own } });
  expect(headers).toEqual({ ...ours, ...own });
});

test('each secret and each private key adds a signature', () => {
  const signers = [newSigningSecret(), newPrivateKey(), newPrivateKey()].map(signerOf);
  const { headers } = deliveryRequest(outgoing, { ...destination, signers });
  expect(headers['webhook-signature']).toMatch(
    /^v1,[A-Za-z0-9+/]{43}= v1a,[A-Za-z0-9+/]{86}== v1a,[A-Za-z0-9+/]{86}==$/,
  );
});

test('the request continues the trace', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  expect(deliveryRequest({ ...outgoing, traceparent }, destination).headers['traceparent']).toBe(traceparent);
});
