import { connect, type Socket } from 'node:net';
import { eventually } from '@parley/testing/eventually';
import { expect, test } from 'vitest';
import { bodyBytesMax } from '../../src/http/request/body.ts';
import { heldBytesMax } from '../../src/http/request/held-bytes.ts';
import { known } from '../fakes/known.ts';
import { basic, basicOf, startSurface, type Surface } from '../fakes/surface.ts';

const workspace = `/v1/workspaces/${known.workspaceId}`;
const path = `${workspace}/customers`;

/** Sends the head of a request with a large body, and only the first byte of the body. */
function beginUpload(surface: Surface, line: string, fields: Record<string, string>): Socket {
  const socket = connect(Number(new URL(surface.url).port), '127.0.0.1').on('error', () => undefined);
  const all = {
    host: 'x',
    'content-type': 'application/json',
    'content-length': String(bodyBytesMax),
    ...fields,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.setEncoding('utf8').write(`${line} HTTP/1.1\r\n${head.join('')}\r\n{`);
  return socket;
}

test.each([
  ['before the body arrives', {}],
  ['in place of 100 Continue', { expect: '100-continue' }],
] as const)(
  'a call that is rejected for another reason than its body is answered %s',
  async (_when, more) => {
    const limits = { callsPerSecond: 0.001, callsBurst: 2 };
    await using surface = await startSurface({ limits });
    const key = { authorization: basic };
    const other = { authorization: basicOf(`${known.otherApiKey}:${known.apiSecret}`) };
    const inConversation = `/public/v1/workspaces/${known.workspaceId}/conversations/${known.interactionId}`;
    const statusOf = async (line: string, fields: Record<string, string>): Promise<number> => {
      const socket = beginUpload(surface, line, { ...fields, ...more });
      const answer = await new Promise<string>((resolve) => {
        socket.once('data', (text: string) => resolve(text));
      });
      socket.destroy();
      // The client may still send the body or not, so no further request can follow.
      if ('expect' in more) expect(answer).toMatch(/^connection: close\r$/im);
      return Number(answer.slice(9, 12));
    };
    expect(await statusOf(`POST ${path}`, {})).toBe(401);
    expect(await statusOf(`POST ${inConversation}/messages`, {})).toBe(401);
    expect(await statusOf('POST /v1/nothing', key)).toBe(404);
    expect(await statusOf(`PUT ${path}`, key)).toBe(405);
    expect(await statusOf(`POST ${path}`, { ...key, accept: 'text/html' })).toBe(406);
    expect(await statusOf(`POST ${path}`, { ...key, 'content-type': 'text/plain' })).toBe(415);
    expect(await statusOf(`POST /v1/workspaces/${known.foreignWorkspaceId}/customers`, key)).toBe(404);
    expect(await statusOf(`POST ${path}`, key)).toBe(429);
    expect(await statusOf(`POST ${path}`, { ...other, 'content-length': String(bodyBytesMax + 1) })).toBe(
      413,
    );
    expect(await statusOf('POST /public/v1/link-sessions', {})).toBe(413);
  },
);

test.each([
  ['a key that the call refuses', `/v1/workspaces/${known.workspaceId}/apikeys/rotate`, 'idempotency-key: k'],
  ['a malformed key', path, `idempotency-key: ${'k'.repeat(256)}`],
  ['two keys', path, 'idempotency-key: a\r\nidempotency-key: b'],
  ['an unknown parameter', `${path}?dry=1`, 'x: y'],
])('a client that waits for 100 Continue is refused for %s in its place', async (_, target, field) => {
  await using surface = await startSurface();
  const socket = connect(Number(new URL(surface.url).port), '127.0.0.1').setEncoding('utf8');
  const fields = ['host: x', `authorization: ${basic}`, field, 'content-type: application/json'];
  socket.write(
    [`POST ${target} HTTP/1.1`, ...fields, 'content-length: 9', 'expect: 100-continue\r\n\r\n'].join('\r\n'),
  );
  let answer = '';
  socket.on('data', (text: string) => (answer += text));
  await eventually(() => expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*connection: close\r$/im));
  socket.destroy();
});

test('a client that waits for 100 Continue gets it before its body is read, and keeps its connection', async () => {
  await using surface = await startSurface();
  const body = JSON.stringify({ id: 'c' });
  const fields = [
    `POST ${path} HTTP/1.1`,
    'host: x',
    `authorization: ${basic}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'expect: 100-Continue',
  ];
  const socket = connect(Number(new URL(surface.url).port), '127.0.0.1').setEncoding('utf8');
  let answer = '';
  socket.on('data', (text: string) => (answer += text));
  for (let n = 1; n <= 2; n += 1) {
    answer = '';
    socket.write(`${fields.join('\r\n')}\r\n\r\n`);
    await eventually(() => expect(answer).toBe('HTTP/1.1 100 Continue\r\n\r\n'));
    socket.write(body);
    await eventually(() => expect(answer).toContain('HTTP/1.1 200 OK'));
  }
  socket.destroy();
});

test('a body that the call ignores is not asked for', async () => {
  await using surface = await startSurface();
  const socket = beginUpload(surface, `GET ${path}`, { authorization: basic, expect: '100-continue' });
  let answer = '';
  socket.on('data', (text: string) => (answer += text));
  await eventually(() => expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*connection: close\r$/im));
  socket.destroy();
});

test('slow uploads of a key are bounded, and do not affect another key or calls without a body', async () => {
  await using surface = await startSurface();
  await using stack = new AsyncDisposableStack();
  const answers: string[] = [];
  const uploadSlowly = (): void => {
    const socket = beginUpload(surface, `POST ${path}`, { authorization: basic });
    stack.defer(() => void socket.destroy());
    socket.on('data', (text: string) => answers.push(text.slice(0, 12)));
  };
  const atOnce = heldBytesMax / bodyBytesMax;
  for (let n = 0; n < atOnce + 3; n += 1) uploadSlowly();
  await eventually(() => expect(answers).toEqual(Array.from({ length: 3 }, () => 'HTTP/1.1 429')));

  const body = { id: 'c' };
  const refused = await surface.call('POST', path, { body });
  expect(refused.envelope()).toMatchObject({ code: 429, type: 'rate-limited' });
  expect(refused.headers['retry-after']).toBe('1');
  expect((await surface.call('GET', '/v1/workspaces')).status).toBe(200);
  const credentials = basicOf(`${known.otherApiKey}:${known.apiSecret}`);
  expect((await surface.call('POST', path, { body, credentials })).status).toBe(200);

  await stack.disposeAsync();
  await eventually(async () => expect((await surface.call('POST', path, { body })).status).toBe(200));
});
