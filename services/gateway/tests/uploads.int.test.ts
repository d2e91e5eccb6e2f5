import { connect, type Socket } from 'node:net';
import { eventually } from '@parley/testing/eventually';
import { expect, test } from 'vitest';
import { bodyBytesMax } from '../src/http/body.ts';
import { heldBytesMax } from '../src/http/held-bytes.ts';
import { known } from './fake-services.ts';
import { basic, basicOf, startSurface, type Surface } from './surface.ts';

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

test('a call that is rejected for another reason than its body is answered before the body arrives', async () => {
  const limits = { callsPerSecond: 0.001, callsBurst: 2 };
  await using surface = await startSurface({ limits });
  const key = { authorization: basic };
  const other = { authorization: basicOf(`${known.otherApiKey}:${known.apiSecret}`) };
  const inConversation = `/public/v1/workspaces/${known.workspaceId}/conversations/${known.interactionId}`;
  const statusOf = async (line: string, fields: Record<string, string>): Promise<number> => {
    const socket = beginUpload(surface, line, fields);
    const status = await new Promise<number>((resolve) => {
      socket.once('data', (text: string) => resolve(Number(text.slice(9, 12))));
    });
    socket.destroy();
    return status;
  };
  expect(await statusOf(`POST ${path}`, {})).toBe(401);
  expect(await statusOf(`POST ${inConversation}/messages`, {})).toBe(401);
  expect(await statusOf('POST /v1/nothing', key)).toBe(404);
  expect(await statusOf(`DELETE ${path}`, key)).toBe(405);
  expect(await statusOf(`POST ${path}`, { ...key, accept: 'text/html' })).toBe(406);
  expect(await statusOf(`POST ${path}`, { ...key, 'content-type': 'text/plain' })).toBe(415);
  expect(await statusOf(`POST /v1/workspaces/${known.foreignWorkspaceId}/customers`, key)).toBe(404);
  expect(await statusOf(`POST ${path}`, key)).toBe(429);
  expect(await statusOf(`POST ${path}`, { ...other, 'content-length': String(bodyBytesMax + 1) })).toBe(413);
  expect(await statusOf('POST /public/v1/link-sessions', {})).toBe(413);
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
