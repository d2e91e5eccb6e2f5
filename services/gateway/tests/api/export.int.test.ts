import { invalidCredentials, unavailable } from '@parley/runtime/errors';
import { eventually } from '@parley/testing/eventually';
import { type Dispatcher, request } from 'undici';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exportsAtOnceMax } from '../../src/limits/exports.ts';
import { cursorListOf } from '../../src/http/request/cursor-list.ts';
import { positionAt } from '../fakes/export.ts';
import { interaction } from '../fakes/interactions.ts';
import { known } from '../fakes/known.ts';
import { basic, type Surface, startSurface } from '../fakes/surface.ts';

let surface: Surface;
beforeAll(async () => {
  surface = await startSurface();
});
afterAll(() => surface[Symbol.asyncDispose]());

const ofWorkspace = (id: string) => `/v1/workspaces/${id}/interactions/export`;
const path = ofWorkspace(known.workspaceId);

const makeHistory = (count: number, dataBytes: number) =>
  Array.from({ length: count }, () => ({
    ...interaction,
    id: uuidv7(),
    data: JSON.stringify({ text: 'ü"'.repeat(dataBytes / 4) }),
  }));
const pagesAsked = () => surface.services.seen.filter(({ method }) => method === 'exportInteractions').length;
/** More pages of 250 KB than the buffers of a socket hold. */
const pages = 60;
const askedAtRest = async (): Promise<number> => {
  let before = -1;
  return eventually(() => {
    const asked = pagesAsked();
    const isStill = asked === before;
    before = asked;
    expect(isStill).toBe(true);
    return asked;
  });
};
/** Closes the connection before the end. */
const leave = (body: Dispatcher.ResponseData['body']) => body.on('error', () => {}).destroy();
const open = (of = surface, at = path) => request(of.url + at, { headers: { authorization: basic } });

beforeEach(() => {
  surface.services.before.clear();
  surface.services.seen.length = 0;
  surface.services.hasUnsettled = false;
  surface.services.history = makeHistory(5, 100);
});

function cursorOf(position: string, filters = {}, workspaceId = known.workspaceId): string {
  return cursorListOf({ operationId: 'exportInteractions' }, { workspaceId }, filters).cursorOf(position);
}

test('NDJSON has a line per interaction, with its history as an object, and an end', async () => {
  const { headers, text } = await surface.call('GET', path);
  expect(headers).toMatchObject({
    'content-type': 'application/x-ndjson',
    'content-disposition': 'attachment; filename="interactions.ndjson"',
    'cache-control': 'no-store',
  });
  expect(headers['content-length']).toBeUndefined();
  const lines = text.trimEnd().split('\n');
  const { history } = surface.services;
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    ...history.map(({ id, data }, index) => ({
      id,
      status: 'Pending',
      priority: 'High',
      link: `https://talk.example/interactions/${known.linkToken}`,
      expiresAt: null,
      createdAt: '2026-11-21T09:30:00.123000',
      customerId: known.customerId,
      type: 'NPS',
      data: JSON.parse(data ?? '') as unknown,
      context: [{ key: 'productName', value: 'Tea' }],
      startedAt: '2026-11-21T09:30:00.123000',
      completedAt: null,
      updatedAt: '2026-11-21T09:30:00.123000',
      cursor: cursorOf(positionAt(index, { id })),
    })),
    { end: true, rows: 5, cursor: cursorOf(positionAt(4, history[4] ?? interaction)) },
  ]);
});

test('CSV has a header row with the keys of evaluations, told apart from its columns, and a record per interaction', async () => {
  surface.services.history = makeHistory(1, 100);
  const { headers } = await surface.call('GET', `${path}?format=csv&botKey=nps`);
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  const { body } = await open(surface, `${path}?format=csv&botId=${known.botId}`);
  // As text it has no byte order mark.
  expect(Buffer.from(await body.bytes()).toString()).toBe(
    '\u{feff}id,customerId,botKey,botVersion,status,priority,createdAt,startedAt,completedAt,durationSeconds,' +
      'nps_score,why,evaluation.status\r\n' +
      `${surface.services.history[0]?.id},ada/1,nps,4,Pending,High,2026-11-21T09:30:00.123000Z,` +
      '2026-11-21T09:30:00.123000Z,,,-1,"\'=1+1, ""x""\n\'@Ü","gold;=1"\r\n',
  );
});

test('filters and the position of a cursor reach the service, and HEAD loads no further page', async () => {
  const position = positionAt(1, surface.services.history[1] ?? interaction);
  const cursor = cursorOf(position, { format: 'ndjson', botKey: 'nps', evaluation: ['a:1', 'b:2'] });
  const query = `?updatedFrom=2026-11-21T09:30:00Z&evaluation=a:1&evaluation=b:2&botKey=nps&cursor=${cursor}`;
  const head = await surface.call('HEAD', path + query);
  expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-type': 'application/x-ndjson' } });
  expect(surface.services.seen.at(-1)?.request).toMatchObject({
    updatedFrom: new Date('2026-11-21T09:30:00Z'),
    evaluation: ['a:1', 'b:2'],
    botKey: 'nps',
    cursor: position,
    withUnsettled: false,
  });
  expect(pagesAsked()).toBe(1);
  const { text } = await surface.call('GET', path + query);
  expect(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ end: true, rows: 3 });
});

test.each([
  ['?format=csv', '/query/botId'],
  ['?format=xlsx', '/query/format'],
  ['?cursor=x%20y', '/query/cursor'],
  [`?cursor=${'x'.repeat(513)}`, '/query/cursor'],
  ['?evaluation=x', '/query/evaluation/0'],
  ['?stoppedAt=score', '/query/stoppedAt'],
  [`?botId=${known.botId}&botVersion=2`, '/query/botVersion'],
  ['?createdFrom=2026-11-21T00:00:00Z&createdTo=2026-11-20T00:00:00Z', '/query/createdTo'],
  ['?page=1', '/query/page'],
])('%s is 400 with the place of the fault', async (query, pointer) => {
  const answer = await surface.call('GET', path + query);
  expect(answer.status).toBe(400);
  expect(answer.envelope().errors).toEqual([expect.objectContaining({ pointer })]);
});

test('a workspace that the key cannot access is 404, and a failure of the first page 503', async () => {
  expect((await surface.call('GET', ofWorkspace(known.foreignWorkspaceId))).status).toBe(404);
  surface.services.before.set('exportInteractions', () => {
    throw unavailable(new Error('away'));
  });
  expect((await surface.call('GET', path)).envelope()).toMatchObject({ success: false, type: 'unavailable' });
});

test('an export that fails in the middle is cut and has no end, and its last cursor continues it', async () => {
  surface.services.before.set('exportInteractions', () => {
    if (pagesAsked() > 3) throw unavailable(new Error('away'));
  });
  const { statusCode, body } = await open();
  expect(statusCode).toBe(200);
  let text = '';
  const reading = (async () => {
    for await (const chunk of body) text += String(chunk);
  })();
  await expect(reading).rejects.toThrow();
  surface.services.before.clear();
  const lines = text.trimEnd().split('\n');
  expect(text).not.toContain('"end":true');
  const { cursor } = JSON.parse(lines.at(-1) ?? '') as { cursor: string };
  const rest = await surface.call('GET', `${path}?cursor=${cursor}`);
  const ids = [...lines, ...rest.text.trimEnd().split('\n').slice(0, -1)].map(
    (line) => (JSON.parse(line) as { id: string }).id,
  );
  expect(ids).toEqual(surface.services.history.map(({ id }) => id));
});

test('a change that is not settled is waited for, but not without end', async () => {
  surface.services.hasUnsettled = true;
  surface.services.before.set('exportInteractions', () => {
    if (pagesAsked() === 7) surface.services.history.push(...makeHistory(1, 100));
    if (pagesAsked() === 9) surface.services.hasUnsettled = false;
  });
  const { text } = await surface.call('GET', path);
  expect(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ end: true, rows: 6 });
  surface.services.hasUnsettled = true;
  expect((await surface.call('GET', path)).text).toContain('"end":true,"rows":6');
});

test('a page is loaded when the client has taken the previous one, and none for a client that has left', async () => {
  surface.services.history = makeHistory(pages, 250_000);
  const { body } = await open();
  // The client does not read, so only the socket buffers can have been sent.
  expect(await askedAtRest()).toBeLessThan(pages);
  leave(body);
  expect(await askedAtRest()).toBeLessThan(pages);
});

test('a reader of a kilobyte at a time holds back its own export only', async () => {
  surface.services.history = makeHistory(pages, 250_000);
  const { body: slow } = await open();
  // Consumed by hand: `read` takes so many bytes of what has arrived.
  slow.pause();
  const take = (bytes: number) =>
    eventually(() => (slow.read(bytes) as Buffer | null) ?? expect.fail('nothing yet'));
  let text = String(await take(1_024));
  const loaded = () =>
    surface.services.seen.filter(
      ({ method, request: asked }) =>
        method === 'exportInteractions' &&
        (asked as { workspaceId: string }).workspaceId === known.workspaceId,
    ).length;
  const rest = `?cursor=${cursorOf(positionAt(pages - 6, interaction), {}, known.otherWorkspaceId)}`;
  for (let step = 0; step < 4; step += 1) {
    const other = await surface.call('GET', ofWorkspace(known.otherWorkspaceId) + rest);
    expect(other.text).toContain('"end":true,"rows":5,');
    expect((await surface.call('GET', `/v1/workspaces/${known.otherWorkspaceId}/bots`)).status).toBe(200);
    expect((await surface.call('GET', `/v1/workspaces/${known.workspaceId}/bots`)).status).toBe(200);
    text += String(await take(1_024));
  }
  // However long it takes, the gateway has loaded what fits into the buffers of the socket.
  expect(loaded()).toBeLessThan(pages);
  expect(text).toContain(surface.services.history[0]?.id);
  leave(slow);
});

test('a workspace has a number of exports at once, and others are not affected', async () => {
  surface.services.history = makeHistory(pages, 250_000);
  const opened = await Promise.all(Array.from({ length: exportsAtOnceMax }, () => open()));
  const refused = await surface.call('GET', path);
  expect(refused).toMatchObject({ status: 429 });
  expect(refused.headers['retry-after']).toBeDefined();
  expect(refused.envelope()).toMatchObject({ type: 'rate-limited' });
  surface.services.history = makeHistory(1, 100);
  expect((await surface.call('GET', ofWorkspace(known.otherWorkspaceId))).status).toBe(200);
  for (const { body } of opened) leave(body);
  await eventually(async () => expect((await surface.call('GET', path)).status).toBe(200));
});

test('a gateway that stops cuts an export at once', async () => {
  await using other = await startSurface();
  other.services.history = makeHistory(pages, 250_000);
  const { body } = await open(other);
  const reading = body.text();
  reading.catch(() => {});
  await other.stop();
  await expect(reading).rejects.toThrow();
});

describe('an export whose key was revoked is cut, whatever the kernel holds for a slow client', () => {
  test.each([
    ['in the middle', pages],
    ['after its end, which the client has not read', 8],
  ])('%s', async (_, count) => {
    await using other = await startSurface();
    const { services } = other;
    services.history = makeHistory(count, 250_000);
    const { body } = await open(other);
    body.pause();
    const ending = new Promise<string>((resolve) => {
      body.once('end', () => resolve('end')).once('error', () => resolve('cut'));
    });
    const asked = (name: string) => services.seen.filter(({ method }) => method === name).length;
    if (count < pages) await eventually(() => expect(asked('exportInteractions')).toBe(count));
    const before = asked('authenticate');
    services.before.set('authenticate', () => {
      throw invalidCredentials();
    });
    // Without a part that is loaded, and before the client reads on.
    await eventually(() => expect(asked('authenticate')).toBeGreaterThan(before));
    let bytes = 0;
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    body.resume();
    expect(await ending).toBe('cut');
    expect(bytes).toBeLessThan(count * 250_000);
  });
});
