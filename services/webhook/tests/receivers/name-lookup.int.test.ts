import { once } from 'node:events';
import { expect, test } from 'vitest';
import { OwnFault } from '../../src/sending/attempt-error.ts';
import { dnsLookup, systemLookup } from '../../src/sending/name-lookup.ts';
import { openUdpAlone } from './udp.ts';

type Records = Record<string, { A?: string[]; AAAA?: string[] } | 'silence' | 'truncated'>;
const typeNames = new Map([
  [1, 'A'],
  [28, 'AAAA'],
] as const);

/**
 * A DNS server over UDP with these names, which records queries as `name type`. For other names it answers
 * `unknownCode`, by default that there are none. Nothing listens on its port for TCP, to which a truncated answer
 * refers.
 */
async function startDns(records: Records, unknownCode = 3) {
  const asked: string[] = [];
  const socket = await openUdpAlone();
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const end = at + 5;
    const type = typeNames.get(query.readUInt16BE(at + 1) as 1 | 28) ?? 'A';
    const name = labels.join('.').toLowerCase();
    asked.push(`${name} ${type}`);
    const known = records[name];
    if (known === 'silence') return;
    const isTruncated = known === 'truncated';
    const addresses = (!isTruncated && known?.[type]) || [];
    const header = Buffer.from([
      ...query.subarray(0, 2),
      isTruncated ? 0x83 : 0x81,
      0x80 | (known ? 0 : unknownCode),
      0,
      1,
      0,
      addresses.length,
      0,
      0,
      0,
      0,
    ]);
    const answers = addresses.map((address) => {
      const data = type === 'A' ? address.split('.').map(Number) : [...Buffer.from(address, 'hex')];
      return Buffer.from([0xc0, 12, 0, type === 'A' ? 1 : 28, 0, 1, 0, 0, 0, 9, 0, data.length, ...data]);
    });
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), from.port, from.address);
  });
  return {
    asked,
    lookup: dnsLookup([`127.0.0.1:${socket.address().port}`]),
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

test('a name has all of its addresses, of either family or both', async () => {
  await using dns = await startDns({
    'both.example': { A: ['192.0.2.1', '10.0.0.1'], AAAA: ['20010db8000000000000000000000001'] },
    'old.example': { A: ['192.0.2.2'] },
    'new.example': { AAAA: ['00000000000000000000ffff7f000001'] },
  });
  expect((await dns.lookup('both.example')).toSorted()).toEqual(['10.0.0.1', '192.0.2.1', '2001:db8::1']);
  expect(await dns.lookup('old.example')).toEqual(['192.0.2.2']);
  expect(await dns.lookup('new.example')).toEqual(['::ffff:127.0.0.1']);
});

test('only DNS is queried, for the exact name: no hosts file, no search domain', async () => {
  await using dns = await startDns({});
  for (const name of ['localhost.example', 'vault.default', 'receiver.example.']) {
    await expect(dns.lookup(name)).rejects.toThrow();
  }
  expect(new Set(dns.asked.map((query) => query.split(' ')[0]))).toEqual(
    new Set(['localhost.example', 'vault.default', 'receiver.example']),
  );
});

test('a hundred names whose servers are silent do not delay another', async () => {
  const silent = Array.from({ length: 100 }, (_one, index) => `silent-${index}.example`);
  await using dns = await startDns({
    'fast.example': { A: ['192.0.2.1'] },
    ...Object.fromEntries(silent.map((name) => [name, 'silence'] as const)),
  });
  const waiting = silent.map((name) => dns.lookup(name));
  const ended = Promise.allSettled(waiting);
  const first = Promise.race([dns.lookup('fast.example'), ...waiting]);
  await expect(first).resolves.toEqual(['192.0.2.1']);
  for (const { status } of await ended) expect(status).toBe('rejected');
});

test.each([
  ['no such name', 3],
  ['SERVFAIL', 2],
  ['REFUSED', 5],
])(
  'an answer too long for UDP is the name’s failure if the server, which otherwise answers %s, has no TCP',
  async (_code, unknownCode) => {
    await using dns = await startDns({ 'long.example': 'truncated' }, unknownCode);
    const lookups = Array.from({ length: 20 }, () => dns.lookup('long.example').catch((error) => error));
    for (const error of await Promise.all(lookups)) {
      expect(error).toMatchObject({ code: 'ECONNREFUSED' });
      expect(error).not.toBeInstanceOf(OwnFault);
    }
  },
);

test('without a server it is an own fault, whatever the earlier answers', async () => {
  const dns = await startDns({ 'long.example': 'truncated' });
  await expect(dns.lookup('long.example')).rejects.not.toThrow(OwnFault);
  await dns[Symbol.asyncDispose]();
  for (const name of ['long.example', 'other.example']) {
    await expect(dns.lookup(name)).rejects.toThrow(OwnFault);
  }
});

test('in a local run localhost is this machine', async () => {
  const addresses = await systemLookup('localhost');
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) expect(['127.0.0.1', '::1']).toContain(address);
});
