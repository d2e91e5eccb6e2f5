import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { isApi } from '../../src/http/server/route.ts';
import { routes } from '../../src/routes.ts';
import { known } from '../fakes/known.ts';
import { type Answer, type Surface, startSurface } from '../fakes/surface.ts';

let surface: Surface;
let session: string;
beforeAll(async () => {
  surface = await startSurface();
  const opened = await surface.call('POST', '/public/v1/link-sessions', { body: { token: known.linkToken } });
  session = `Bearer ${Object(opened.envelope().data).sessionToken}`;
});
afterAll(() => surface[Symbol.asyncDispose]());

const workspace = `/v1/workspaces/${known.workspaceId}`;

/** Calls an operation with ids that exist. */
function callRoute(
  { method, path, access }: (typeof routes)[number],
  query: string,
  body?: unknown,
): Promise<Answer> {
  const filled = path
    .replace('{workspaceId}', known.workspaceId)
    .replace('{interactionId}', known.interactionId)
    .replace('{version}', '1')
    .replace('{apiKey}', known.apiKey)
    .replaceAll(/\{\w+\}/g, known.botId);
  return surface.call(method, `${filled}${query}`, {
    ...(access === 'session' && { credentials: session }),
    ...(method === 'PUT' && { headers: { 'if-none-match': '*' } }),
    ...(body !== undefined && { body }),
  });
}

describe('queries', () => {
  test('bad values are rejected with pointers', async () => {
    const refused: [string, string[]][] = [
      ['page=0', ['/query/page']],
      ['page=&pageSize=51', ['/query/page', '/query/pageSize']],
      ['pageSize=0', ['/query/pageSize']],
      ['pageSize=1.0', ['/query/pageSize']],
      ['pageSize=abc', ['/query/pageSize']],
      ['pageSize=1e1', ['/query/pageSize']],
      ['page=1&page=2', ['/query/page']],
      ['page=1e3', ['/query/page']],
      ['page=9007199254740992', ['/query/page']],
      ['page=%ff', ['/query/page']],
      ['customerId=%ff&pageSize=0', ['/query/customerId', '/query/pageSize']],
      ['status=Nope&priority=low&botId=1', ['/query/botId', '/query/priority', '/query/status']],
    ];
    for (const [query, pointers] of refused) {
      const answer = await surface.call('GET', `${workspace}/interactions?${query}`);
      expect(answer.status, query).toBe(400);
      expect(pointersOf(answer), query).toEqual(pointers);
    }
    expect(pointersOf(await surface.call('GET', `${workspace}/bots?key=No`))).toEqual(['/query/key']);
  });

  test('every operation rejects unknown parameters and names the known ones; health checks ignore them', async () => {
    // No key may make the calls of operators, and their input is read after that.
    for (const route of routes.filter(({ scope }) => scope !== 'operator')) {
      const { method, path, query } = route;
      const answer = await callRoute(route, '?emial=a%40b.example&more');
      const operation = `${method} ${path}`;
      if (!isApi(route)) {
        expect(answer.status, operation).toBe(200);
        continue;
      }
      expect(answer.status, operation).toBe(400);
      const names = Object.keys(query?.shape ?? {});
      const reason = `is not a known parameter${names.length > 0 ? `; known: ${names.join(', ')}` : ''}`;
      expect(answer.envelope().errors, operation).toEqual(
        expect.arrayContaining([
          { pointer: '/query/emial', detail: `"emial" ${reason}` },
          { pointer: '/query/more', detail: `"more" ${reason}` },
        ]),
      );
    }
  });

  test('every operation says of each repeated parameter that it is repeated', async () => {
    for (const route of routes.filter(isApi)) {
      const isOne = ([, type]: [string, z.ZodType]): boolean => !type.safeParse([]).success;
      const names = Object.entries<z.ZodType>(route.query?.shape ?? {})
        .filter(isOne)
        .map(([name]) => name);
      if (names.length === 0) continue;
      const answer = await callRoute(route, `?${names.map((name) => `${name}=1&${name}=2`).join('&')}`);
      expect(answer.status, route.path).toBe(400);
      const faults = names.map((name) => ({ pointer: `/query/${name}`, detail: 'Is repeated' }));
      expect(answer.envelope().errors, route.path).toEqual(expect.arrayContaining(faults));
    }
  });
});

describe('bodies', () => {
  test('a missing body and one of another type have one fault in every operation that needs one', async () => {
    for (const route of routes.filter(({ body }) => body?.safeParse(undefined).success === false)) {
      const answers = [await callRoute(route, ''), await callRoute(route, '', [])];
      expect(
        answers.map((answer) => answer.envelope().errors),
        route.path,
      ).toEqual([
        [{ pointer: '', detail: 'A JSON body is required' }],
        [{ pointer: '', detail: 'Must be an object' }],
      ]);
    }
  });
});

function pointersOf(answer: { envelope(): { errors?: { pointer: string }[] | undefined } }): string[] {
  return (answer.envelope().errors ?? []).map(({ pointer }) => pointer).sort();
}
