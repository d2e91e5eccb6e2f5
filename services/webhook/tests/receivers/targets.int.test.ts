import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { once } from 'node:events';
import { distrustCertificate, trustCertificate } from '@parley/testing/peers/certificate';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/peers/receiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptResult } from '../../src/sending/attempt.ts';
import { OwnFault } from '../../src/sending/attempt-error.ts';
import { dnsLookup } from '../../src/sending/name-lookup.ts';
import { parseNetwork } from '../../src/sending/public-address.ts';
import { expiredCertificate } from './expired-certificate.ts';
import { answering, patient, post, pour, rawServer, sending } from './sending.ts';
import { openUdpAlone } from './udp.ts';

beforeAll(trustCertificate);
afterAll(distrustCertificate);

const blocked: AttemptResult = {
  startedAt: expect.any(Date),
  durationMs: 0,
  latency: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null },
  status: null,
  retryAfter: null,
  error: 'blocked_address',
  excerpt: Buffer.of(),
  isCut: false,
};

/**
 * A sender as in a deployment, except that 127.0.0.1 counts as public. Names resolve to `answers`, one after another,
 * the last one repeatedly. `asked` has the resolved names.
 */
function deployed(...answers: string[][]) {
  const asked: string[] = [];
  const lookup = async (hostname: string): Promise<string[]> => {
    asked.push(hostname);
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
  };
  const allowedNetworks = [parseNetwork('127.0.0.1')];
  return { asked, ...sending({ ...patient, allowsPrivate: false, allowedNetworks, lookup }) };
}

const tlsReceiver = (tls = {}, host?: string) => rawServer(answering(), { tls, ...(host && { host }) });

test('a name is resolved once, and the connection goes to that address under the name', async () => {
  const names: string[] = [];
  const requests: string[] = [];
  await using receiver = await rawServer(
    (socket, received) => {
      requests.push(received.toString());
      answering()(socket);
    },
    {
      tls: {
        SNICallback: (name, done) => {
          names.push(name);
          done(null);
        },
      },
    },
  );
  await using sender = deployed(['127.0.0.1']);
  const result = await post(sender, `https://hook.receiver.example:${receiver.port}/hook?a=b`);
  expect(result).toMatchObject({ status: 200, error: null });
  expect(result.latency.tlsMs).toEqual(expect.any(Number));
  expect(sender.asked).toEqual(['hook.receiver.example']);
  expect(names).toEqual(['hook.receiver.example']);
  expect(requests[0]).toContain('POST /hook?a=b HTTP/1.1\r\n');
  expect(requests[0]).toContain(`host: hook.receiver.example:${receiver.port}\r\n`);
});

test('a name with a dot at its end is verified without it', async () => {
  await using receiver = await tlsReceiver();
  await using sender = deployed(['127.0.0.1']);
  expect(await post(sender, `https://receiver.example.:${receiver.port}/`)).toMatchObject({ error: null });
});

test('a name that later resolves to a private address is not connected to (DNS rebinding)', async () => {
  await using receiver = await tlsReceiver({}, '0.0.0.0');
  await using sender = deployed(['127.0.0.1'], ['127.0.0.2']);
  const url = `https://receiver.example:${receiver.port}/`;
  expect(await post(sender, url)).toMatchObject({ status: 200, error: null });
  // A kept connection needs no further lookup.
  expect(await post(sender, url)).toMatchObject({ status: 200, error: null });
  expect(sender.asked).toHaveLength(1);
  receiver.connections[0]?.destroy();
  await eventually(async () => expect(await post(sender, url)).toEqual(blocked));
  expect(receiver.connections).toHaveLength(1);
});

test.each([
  [['127.0.0.2']],
  [['10.0.0.1']],
  [['169.254.169.254']],
  [['::1']],
  [['fd00:ec2::254']],
  [['::ffff:127.0.0.1']],
  [['127.0.0.1', '127.0.0.2']],
  [['127.0.0.2', '127.0.0.1']],
  [['127.0.0.1', '::1']],
  [['127.0.0.1', '64:ff9b::7f00:1']],
  [['not an address']],
])('a name with the addresses %j is not connected to, even if some are public', async (addresses) => {
  await using receiver = await tlsReceiver({}, '0.0.0.0');
  await using sender = deployed(addresses);
  expect(await post(sender, `https://receiver.example:${receiver.port}/`)).toEqual(blocked);
  expect(receiver.connections).toEqual([]);
});

test('an open port, a closed one and a range without machines are rejected alike', async () => {
  await using receiver = await tlsReceiver({}, '0.0.0.0');
  await using sender = deployed(['127.0.0.2']);
  const results = await Promise.all([
    post(sender, `https://127.0.0.2:${receiver.port}/`),
    post(sender, 'https://127.0.0.2:1025/'),
    post(sender, 'https://10.255.255.1/'),
    post(sender, 'https://[fd00::1]/'),
    post(sender, `https://named.receiver.example:${receiver.port}/`),
  ]);
  for (const result of results) expect(result).toEqual(blocked);
  expect(receiver.connections).toEqual([]);
});

test('the rules also apply to existing webhooks: addresses, ports and https', async () => {
  await using receiver = await startReceiver();
  await using sender = sending({ allowsPrivate: false });
  const { port } = new URL(receiver.url);
  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::ffff:127.0.0.1]',
    '[::1]',
    'localhost',
    'x.internal',
  ]) {
    expect(await post(sender, `https://${host}:${port}/`), host).toEqual(blocked);
    expect(await post(sender, `http://${host}:${port}/`), host).toEqual(blocked);
  }
  await using reaching = deployed(['127.0.0.1']);
  expect(await post(reaching, `http://receiver.example:${port}/`)).toEqual(blocked);
  expect(await post(reaching, 'https://receiver.example:6379/')).toEqual(blocked);
  expect(reaching.asked).toEqual([]);
  expect(receiver.requests).toEqual([]);
});

test.each([301, 302, 303, 307, 308])(
  'a redirect with %i to the metadata address is not followed and is no success',
  async (status) => {
    await using receiver = await rawServer(
      (socket) => {
        socket.write(
          `HTTP/1.1 ${status} X\r\nlocation: http://169.254.169.254/latest/meta-data/\r\ncontent-length: 0\r\n\r\n`,
        );
      },
      { tls: {} },
    );
    await using sender = deployed(['127.0.0.1']);
    const result = await post(sender, `https://receiver.example:${receiver.port}/`);
    expect(result).toMatchObject({ status, error: `http_${status}` });
    expect(sender.asked).toEqual(['receiver.example']);
  },
);

test('a name that is unknown, unanswered or without an address is a failure of DNS', async () => {
  const strict = { allowsPrivate: false };
  await using failing = sending({ ...strict, lookup: async () => Promise.reject(new Error('SERVFAIL')) });
  await using silent = sending({ ...strict, lookup: () => new Promise(() => {}) });
  for (const sender of [failing, silent, deployed([])]) {
    await using closing = sender;
    const result = await post(closing, 'https://receiver.example/');
    expect(result).toMatchObject({ status: null, error: 'dns' });
  }
});

test('unavailable DNS servers are an own fault, failures for a name are the receiver’s', async () => {
  const server = await openUdpAlone();
  // SERVFAIL for every query, which is the effect of a tenant’s broken name server; for `long`, a referral to TCP,
  // which it does not support.
  server.on('message', (query, from) => {
    const code = query.includes('long') ? [0x83, 0x80] : [0x81, 0x82];
    const answer = Buffer.concat([query.subarray(0, 2), Buffer.from(code), query.subarray(4)]);
    server.send(answer, from.port, from.address);
  });
  const lookup = dnsLookup([`127.0.0.1:${server.address().port}`]);
  await using sender = sending({ ...patient, allowsPrivate: false, lookup });
  expect(await post(sender, 'https://receiver.example/')).toMatchObject({ error: 'dns' });
  expect(await post(sender, 'https://long.example/')).toMatchObject({ status: null, error: 'dns' });
  server.close();
  await once(server, 'close');
  await expect(post(sender, 'https://receiver.example/')).rejects.toThrow(OwnFault);
});

test('names without an answer do not delay others', async () => {
  await using receiver = await tlsReceiver();
  const lookup = (hostname: string): Promise<string[]> =>
    hostname === 'receiver.example' ? Promise.resolve(['127.0.0.1']) : new Promise(() => {});
  const allowedNetworks = [parseNetwork('127.0.0.1')];
  const limits = { ...patient, connectTimeoutMs: 2_000 };
  await using sender = sending({ ...limits, allowsPrivate: false, allowedNetworks, lookup });
  const waiting = Array.from({ length: 100 }, (_one, index) => post(sender, `https://${index}.example/`));
  expect(await post(sender, `https://receiver.example:${receiver.port}/`)).toMatchObject({ error: null });
  for (const result of await Promise.all(waiting)) expect(result.error).toBe('dns');
});

test('when an address does not answer, the next is tried', async () => {
  await using receiver = await tlsReceiver();
  const allowedNetworks = [parseNetwork('127.0.0.0/8')];
  const lookup = async (): Promise<string[]> => ['127.0.0.2', '127.0.0.1'];
  await using sender = sending({ ...patient, allowsPrivate: false, allowedNetworks, lookup });
  expect(await post(sender, `https://receiver.example:${receiver.port}/`)).toMatchObject({ error: null });
});

test('a certificate is verified: its name, its issuer, its dates, its version', async () => {
  await using receiver = await tlsReceiver();
  await using sender = deployed(['127.0.0.1']);
  const { port } = receiver;
  expect(await post(sender, `https://127.0.0.1:${port}/`)).toMatchObject({ status: 200, error: null });
  expect(await post(sender, `https://other.example:${port}/`)).toMatchObject({
    status: null,
    error: 'tls_name',
  });
  await using old = await tlsReceiver({
    minVersion: 'TLSv1.1',
    maxVersion: 'TLSv1.1',
    ciphers: 'ALL@SECLEVEL=0',
  });
  expect(await post(sender, `https://receiver.example:${old.port}/`)).toMatchObject({
    error: 'tls_protocol',
  });
  await using expired = await tlsReceiver({ cert: expiredCertificate });
  setDefaultCACertificates([...getCACertificates('default'), expiredCertificate]);
  await using late = deployed(['127.0.0.1']);
  expect(await post(late, `https://receiver.example:${expired.port}/`)).toMatchObject({
    error: 'tls_expired',
  });
  distrustCertificate();
  await using unknown = deployed(['127.0.0.1']);
  expect(await post(unknown, `https://receiver.example:${port}/`)).toMatchObject({
    status: null,
    error: 'tls_untrusted',
  });
  trustCertificate();
});

test('only HTTP/1.1 is offered', async () => {
  const offered: string[][] = [];
  await using receiver = await tlsReceiver({
    ALPNCallback: ({ protocols }: { protocols: string[] }) => {
      offered.push(protocols);
      return protocols[0];
    },
  });
  await using sender = deployed(['127.0.0.1']);
  expect(await post(sender, `https://receiver.example:${receiver.port}/`)).toMatchObject({ error: null });
  expect(offered).toEqual([['http/1.1']]);
});

test('the limits of reading apply over TLS too', async () => {
  await using endless = await rawServer(
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      pour(socket, 'x'.repeat(64 * 1024));
    },
    { tls: {} },
  );
  await using flooding = await rawServer(
    (socket) => pour(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)),
    { tls: {} },
  );
  await using sender = deployed(['127.0.0.1']);
  const read = await post(sender, `https://receiver.example:${endless.port}/`);
  expect(read).toMatchObject({ status: 200, error: null });
  expect(read.excerpt).toHaveLength(16 * 1024);
  const flooded = await post(sender, `https://receiver.example:${flooding.port}/`);
  expect(flooded).toMatchObject({ status: null, error: 'protocol' });
});
