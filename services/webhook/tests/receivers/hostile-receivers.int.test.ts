import { gzipSync } from 'node:zlib';
import { startReceiver } from '@parley/testing/peers/receiver';
import { afterAll, expect, test } from 'vitest';
import { drip, patient, post as postThrough, pour, rawServer, sending, totalTimeoutMs } from './sending.ts';

const sender = sending(patient);
const hurried = sending();
afterAll(async () => {
  await sender[Symbol.asyncDispose]();
  await hurried[Symbol.asyncDispose]();
});
const post = (url: string) => postThrough(sender, url);
/** The time limit of an attempt that times out. */
const postInVain = (url: string) => postThrough(hurried, url);

type Respond = Parameters<typeof rawServer>[0];

/** Returns the result of an attempt at a receiver that answers like this. */
async function answeredBy(respond: Respond) {
  await using server = await rawServer(respond);
  return await post(`http://${server.host}/`);
}

/** Sends to a receiver that delays until the time-out. */
async function drawnOutBy(respond: Respond) {
  await using server = await rawServer(respond);
  return await postInVain(`http://${server.host}/`);
}

// hookdeck/outpost#974: a large answer could not be logged, and the event was sent again for ever.
test('an endless answer is read to 16 KiB and judged by its status', async () => {
  const success = await answeredBy((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    pour(socket, 'x'.repeat(4_000));
  });
  expect(success).toMatchObject({ status: 200, error: null });
  expect(success.excerpt.toString()).toBe('x'.repeat(16 * 1024));
  const failure = await answeredBy((socket) => {
    socket.write('HTTP/1.1 500 Oops\r\ntransfer-encoding: chunked\r\n\r\n');
    pour(socket, `fa0\r\n${'x'.repeat(4_000)}\r\n`);
  });
  expect(failure).toMatchObject({ status: 500, error: 'http_500' });
  expect(failure.excerpt).toHaveLength(16 * 1024);
});

test('the connection of an answer that was not read to its end is closed', async () => {
  await using server = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n');
    pour(socket, 'x'.repeat(64 * 1024));
  });
  await post(`http://${server.host}/`);
  await post(`http://${server.host}/`);
  expect(server.connections).toHaveLength(2);
  expect(server.connections[0]?.destroyed || server.connections[0]?.readableEnded).toBe(true);
});

// The timeout of Svix ends with the headers, so a slow body blocks a worker.
test('an answer that trickles is a failure at the time-out, also with 200', async () => {
  const result = await drawnOutBy((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
    drip(socket, 'x');
  });
  expect(result).toMatchObject({ status: 200, error: 'timeout_total' });
  expect(result.durationMs).toBeGreaterThanOrEqual(totalTimeoutMs - 5);
  expect(result.durationMs).toBeLessThan(patient.totalTimeoutMs);
});

test.each([410, 429, 500])(
  'a %i counts soon after its header, whether its body hangs, trickles or breaks off',
  async (status) => {
    const half = `HTTP/1.1 ${status} X\r\ncontent-length: 100000\r\nretry-after: 7\r\n\r\nhalf`;
    const known = { status, error: `http_${status}`, retryAfter: '7', isCut: true };
    // A second later, of twenty for the attempt.
    const hanging = await answeredBy((socket) => socket.write(half));
    expect(hanging).toMatchObject(known);
    expect(hanging.excerpt.toString()).toBe('half');
    expect(hanging.durationMs).toBeLessThan(patient.totalTimeoutMs / 2);
    const dripping = await answeredBy((socket) => {
      socket.write(half);
      drip(socket, 'x');
    });
    expect(dripping).toMatchObject(known);
    expect(dripping.durationMs).toBeLessThan(patient.totalTimeoutMs / 2);
    expect(await answeredBy((socket) => socket.end(half))).toMatchObject(known);
    const reset = answeredBy((socket) => socket.write(half, () => socket.resetAndDestroy()));
    expect(await reset).toMatchObject({ isCut: true });
  },
);

test('an answer that was not read to its end is marked as cut, and one of 16 KiB is not', async () => {
  const answer = (bytes: number) => {
    const head = `HTTP/1.1 200 OK\r\ncontent-length: ${bytes}\r\n\r\n`;
    return answeredBy((socket) => socket.write(head + 'x'.repeat(bytes)));
  };
  expect(await answer(16 * 1_024)).toMatchObject({ error: null, isCut: false });
  expect(await answer(16 * 1_024 + 1)).toMatchObject({ error: null, isCut: true });
});

test('headers that trickle are a failure at the time-out', async () => {
  const result = await drawnOutBy((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    drip(socket, 'x: y\r\n');
  });
  expect(result).toMatchObject({ status: null, error: 'timeout_total' });
});

test('a status line that trickles is a failure at the time-out', async () => {
  const result = await drawnOutBy((socket) => {
    socket.write('HTTP/1.1 200 O');
    drip(socket, 'k');
  });
  expect(result).toMatchObject({ error: 'timeout_total' });
});

test('a missing answer is a failure at the time-out', async () => {
  await using receiver = await startReceiver(() => 'hang');
  expect(await postInVain(receiver.url)).toMatchObject({ status: null, error: 'timeout_total' });
});

test('a connection that is closed or reset in the middle is a failure', async () => {
  expect(await answeredBy((socket) => socket.end())).toMatchObject({ status: null, error: 'reset' });
  expect(await answeredBy((socket) => socket.resetAndDestroy())).toMatchObject({
    status: null,
    error: 'reset',
  });
  const half = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf';
  expect(await answeredBy((socket) => socket.end(half))).toMatchObject({ status: 200, error: 'reset' });
  const reset = await answeredBy((socket) => {
    socket.write(half, () => socket.resetAndDestroy());
  });
  expect(reset).toMatchObject({ error: 'reset' });
});

test.each([
  'HTTP/1.1 200 OK\r\ncontent-length: 99\r\nconnection: close\r\n\r\nhalf',
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n63\r\nhalf',
  'HTTP/1.0 200 OK\r\ncontent-length: 99\r\n\r\nhalf',
])('a truncated answer is an error, also without a length', async (half) => {
  const cut = { status: 200, error: 'reset', isCut: true };
  expect(await answeredBy((socket) => socket.end(half))).toMatchObject(cut);
  const reset = await answeredBy((socket) => {
    socket.write(half, () => socket.resetAndDestroy());
  });
  expect(reset).toMatchObject(cut);
});

test.each(['HTTP/1.1 200 OK\r\n\r\n', 'HTTP/1.1 200 OK\r\n\r\npart', 'HTTP/1.0 200 OK\r\n\r\npart'])(
  'an answer without a length is complete when its connection closes, and truncated after a reset',
  async (part) => {
    expect(await answeredBy((socket) => socket.end(part))).toMatchObject({ error: null, isCut: false });
    const reset = await answeredBy((socket) => {
      socket.write(part, () => socket.resetAndDestroy());
    });
    expect(reset).toMatchObject({ status: 200, error: 'reset', isCut: true });
  },
);

test('headers beyond 16 KiB are a failure', async () => {
  const huge = await answeredBy((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(17_000)}\r\ncontent-length: 0\r\n\r\n`);
  });
  expect(huge).toMatchObject({ status: null, error: 'protocol' });
  const many = await answeredBy((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    pour(socket, 'x: y\r\n'.repeat(1_000));
  });
  expect(many).toMatchObject({ status: null, error: 'protocol' });
});

test('trailers beyond 16 KiB are a failure', async () => {
  const result = await answeredBy((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n');
    pour(socket, 'x: y\r\n'.repeat(1_000));
  });
  expect(result).toMatchObject({ error: 'protocol' });
});

test('a flood of interim answers is a failure before the time-out', async () => {
  const result = await answeredBy((socket) => pour(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)));
  expect(result).toMatchObject({ status: null, error: 'protocol' });
  expect(result.durationMs).toBeLessThan(patient.totalTimeoutMs);
});

test('interim answers that trickle are a failure at the time-out', async () => {
  const result = await drawnOutBy((socket) => drip(socket, 'HTTP/1.1 102 Processing\r\n\r\n'));
  expect(result).toMatchObject({ status: null, error: 'timeout_total' });
});

test('a flood that is neither header nor body is a failure before the time-out', async () => {
  const result = await answeredBy((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1');
    pour(socket, `;${'x'.repeat(4_000)}`);
  });
  expect(result).toMatchObject({ error: 'protocol' });
  expect(result.durationMs).toBeLessThan(patient.totalTimeoutMs);
});

test('a compressed answer is not decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(16 * 1024 * 1024));
  const result = await answeredBy((socket) => {
    socket.write('HTTP/1.1 500 Oops\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n');
    socket.end(bomb);
  });
  expect(result).toMatchObject({ status: 500, error: 'http_500' });
  expect(result.excerpt.equals(bomb.subarray(0, 16 * 1024))).toBe(true);
});

test('an answer that is not HTTP is a failure', async () => {
  const protocol = { status: null, error: 'protocol' };
  expect(await answeredBy((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'))).toMatchObject(protocol);
  expect(await answeredBy((socket) => socket.end('<html>200 OK</html>'))).toMatchObject(protocol);
});

test.each([
  'content-length: 1\r\ncontent-length: 2',
  'content-length: 2\r\ntransfer-encoding: chunked',
  'content-length: 99999999999999999999999',
  'content-length: -2',
])('an answer with contradictory lengths is a protocol error: %j', async (lengths) => {
  const answer = `HTTP/1.1 200 OK\r\n${lengths}\r\n\r\nxx`;
  const protocol = { status: null, error: 'protocol' };
  expect(await answeredBy((socket) => socket.write(answer))).toMatchObject(protocol);
  expect(await answeredBy((socket) => socket.end(answer))).toMatchObject(protocol);
});

test('an unrequested upgrade is a failure', async () => {
  const result = await answeredBy((socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
  });
  expect(result).toMatchObject({ status: null, error: 'protocol' });
});

test('of the interim answers, only 100 is a failure', async () => {
  const after = (interim: string) =>
    answeredBy((socket) => {
      socket.write(`HTTP/1.1 ${interim}\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n`);
    });
  for (const interim of ['102 Processing', '103 Early Hints', '199 X']) {
    expect(await after(interim), interim).toMatchObject({ status: 204, error: null });
  }
  expect(await after('100 Continue')).toMatchObject({ status: null, error: 'protocol' });
});

test('an unrequested answer is not used for another request', async () => {
  await using server = await rawServer((socket) => {
    const answer = (status: number): string => `HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`;
    socket.write(answer(500) + answer(200));
  });
  const url = `http://${server.host}/`;
  expect(await post(url)).toMatchObject({ error: 'http_500' });
  expect(await post(url)).toMatchObject({ error: 'http_500' });
});

test('TLS without an answer is a failure at the connect timeout', async () => {
  await using server = await rawServer(() => {});
  await using connecting = sending({ totalTimeoutMs: 10_000 });
  const result = await postThrough(connecting, `https://${server.host}/`);
  expect(result).toMatchObject({ status: null, error: 'timeout_connect' });
  expect(result.durationMs).toBeLessThan(10_000);
});

test('TLS that trickles is a failure at the connect timeout', async () => {
  // The header of a handshake record that would be 16 KiB long.
  await using server = await rawServer((socket) => {
    socket.write(Buffer.from([0x16, 0x03, 0x03, 0x40, 0x00]));
    drip(socket, '\x02');
  });
  expect(await postInVain(`https://${server.host}/`)).toMatchObject({
    status: null,
    error: 'timeout_connect',
  });
});

test('a failed connection has the latencies of its completed steps', async () => {
  const done = { dnsMs: expect.any(Number), connectMs: expect.any(Number), tlsMs: null, firstByteMs: null };
  await using silent = await rawServer(() => {});
  const late = await postInVain(`https://localhost:${silent.port}/`);
  expect(late).toMatchObject({ error: 'timeout_connect', latency: done });
  await using plain = await rawServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  expect(await post(`https://${plain.host}/`)).toMatchObject({ error: 'tls_protocol', latency: done });
  await plain[Symbol.asyncDispose]();
  const nobody = { dnsMs: expect.any(Number), connectMs: null, tlsMs: null, firstByteMs: null };
  expect(await post(`https://${plain.host}/`)).toMatchObject({ error: 'refused', latency: nobody });
});

test('a hundred hostile receivers do not delay another', async () => {
  await using hanging = await rawServer(() => {});
  await using endless = await rawServer((socket) => drip(socket, 'HTTP/1.1 103 X\r\n\r\n'));
  await using healthy = await startReceiver();
  await using shared = sending({ totalTimeoutMs: 6_000 });
  const hostile = Array.from({ length: 100 }, (_one, index) =>
    postThrough(shared, `http://${(index % 2 === 0 ? hanging : endless).host}/`),
  );
  expect((await postThrough(shared, healthy.url)).error).toBeNull();
  // A busy machine may not even connect to all of them in time.
  for (const result of await Promise.all(hostile)) expect(result.error).toMatch(/^timeout_(total|connect)$/);
});
