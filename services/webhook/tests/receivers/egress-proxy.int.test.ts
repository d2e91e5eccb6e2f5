import { eventually } from '@parley/testing/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SenderOptions } from '../../src/sending/attempt.ts';
import { OwnFault } from '../../src/sending/attempt-error.ts';
import { distrustCertificate, trustCertificate } from '@parley/testing/peers/certificate';
import { startProxy } from './proxy.ts';
import { answering, patient, post, rawServer, sending } from './sending.ts';

beforeAll(trustCertificate);
afterAll(distrustCertificate);

/** The stage in which the connect timeout applies. */
const hurried = { connectTimeoutMs: 500 };

/** A sender as in a deployment with a proxy: it must not resolve a name. */
const proxied = (egressProxy: URL, limits: Partial<SenderOptions> = patient) =>
  sending({
    ...limits,
    allowsPrivate: false,
    egressProxy,
    lookup: async () => {
      throw new Error('only the proxy may resolve names');
    },
  });

test('all requests go through the proxy, which resolves the name; TLS ends at the receiver', async () => {
  await using receiver = await rawServer(answering(), { tls: {} });
  await using proxy = await startProxy();
  await using sender = proxied(proxy.url);
  const authority = `receiver.example:${receiver.port}`;
  const first = await post(sender, `https://${authority}/`);
  expect(first).toMatchObject({
    status: 200,
    error: null,
    latency: { dnsMs: null, tlsMs: expect.any(Number) },
  });
  expect(await post(sender, `https://${authority}/`)).toMatchObject({ status: 200, error: null });
  expect(proxy.asked).toEqual([{ authority, authorization: `Basic ${btoa('user:p@ss')}` }]);
  expect(await post(sender, `https://other.example:${receiver.port}/`)).toMatchObject({ error: 'tls_name' });
});

test('a URL that is not allowed is rejected without a request to the proxy', async () => {
  await using proxy = await startProxy();
  await using sender = proxied(proxy.url);
  for (const url of [
    'https://169.254.169.254/',
    'https://[::1]/',
    'https://db.internal/',
    'http://example.com/',
  ]) {
    expect(await post(sender, url), url).toMatchObject({ error: 'blocked_address', durationMs: 0 });
  }
  expect(proxy.asked).toEqual([]);
});

test.each([
  ['403 Forbidden', 'blocked_address'],
  ['407 Request rejected by proxy', 'blocked_address'],
  ['502 Bad Gateway', 'refused'],
  ['503 Service Unavailable', 'refused'],
  ['504 Gateway Timeout', 'timeout_connect'],
])('a proxy answer of %s for a target is %s', async (refusal, error) => {
  await using proxy = await startProxy({ refusal: `HTTP/1.1 ${refusal}\r\n\r\nport 22 is open` });
  await using sender = proxied(proxy.url);
  const result = await post(sender, 'https://receiver.example/');
  expect(result).toMatchObject({ status: null, error });
  expect(result.excerpt).toHaveLength(0);
});

test('a proxy that is unavailable, hangs or rejects our credentials is an own fault', async () => {
  const gone = await startProxy();
  await gone[Symbol.asyncDispose]();
  await using unwilling = await startProxy({
    refusal: 'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n',
  });
  for (const { url } of [gone, unwilling]) {
    await using sender = proxied(url);
    await expect(post(sender, 'https://receiver.example/')).rejects.toThrow(OwnFault);
  }
  // TLS with a proxy that never sends a byte.
  await using silent = await rawServer(() => {});
  await using sender = proxied(new URL(`https://${silent.host}`), hurried);
  await expect(post(sender, 'https://receiver.example/')).rejects.toThrow(OwnFault);
});

test('a tunnel that never opens is a failure at the connect timeout', async () => {
  await using silent = await rawServer(() => {});
  await using sender = proxied(new URL(`http://${silent.host}`), hurried);
  expect(await post(sender, 'https://receiver.example/')).toMatchObject({ error: 'timeout_connect' });
});

test('a connection cut by the proxy is an own fault; one cut by the receiver is not', async () => {
  await using receiver = await rawServer((socket) => socket.destroy(), { tls: {} });
  await using silent = await rawServer(() => {}, { tls: {} });
  await using proxy = await startProxy();
  await using sender = proxied(proxy.url);
  expect(await post(sender, `https://receiver.example:${receiver.port}/`)).toMatchObject({ error: 'reset' });
  const waiting = post(sender, `https://receiver.example:${silent.port}/`);
  await eventually(() => expect(silent.connections).toHaveLength(1));
  await Promise.all([expect(waiting).rejects.toThrow(OwnFault), proxy[Symbol.asyncDispose]()]);
});
