import { afterAll, beforeAll, expect, test } from 'vitest';
import { known } from '../fakes/known.ts';
import { type Surface, startSurface } from '../fakes/surface.ts';

let surface: Surface;
beforeAll(async () => {
  surface = await startSurface();
});
afterAll(() => surface[Symbol.asyncDispose]());

const requestOf = (method: string) =>
  surface.services.seen.findLast((seen) => seen.method === method)?.request;

const workspace = `/v1/workspaces/${known.workspaceId}`;

test('a bot definition is passed on unchanged', async () => {
  await surface.call('POST', `${workspace}/bots`, { body: '{ "b": [1, {"z": null}], "a": "é" }' });
  expect(requestOf('createBot')).toMatchObject({
    definition: '{ "b": [1, {"z": null}], "a": "é" }',
    publishedBy: known.apiKey,
  });
});

const versions = `${workspace}/bots/${known.botId}/versions`;

test.each([
  ['{ "b": 1.0,\n "a": "\\u00e9" }\n', '{ "b": 1.0,\n "a": "\\u00e9" }\n', {}],
  [
    '{ "b": 1.0,\n "note": "n", "expectedVersion": 3, "a": 2 }',
    '{ "b": 1.0, "a": 2 }',
    { note: 'n', expectedVersion: 3 },
  ],
  ['{"note":"n","b":1}', '{"b":1}', { note: 'n' }],
  ['{"expectedVersion":3,"definition": {"b" :1.0}\n}', ' {"b" :1.0}\n', { expectedVersion: 3 }],
  ['{"restore":2,"note":"n"}', '', { restore: 2, note: 'n' }],
])('a version of %j has its definition byte for byte', async (body, definition, others) => {
  expect((await surface.call('POST', versions, { body })).envelope()).toMatchObject({ code: 200 });
  const rest = { note: null, expectedVersion: null, restore: null, ...others };
  expect(requestOf('publishBotVersion')).toMatchObject({ definition, publishedBy: known.apiKey, ...rest });
});

test.each([
  [{ restore: 0 }, ['/restore']],
  [{ restore: 1, definition: {} }, ['/restore']],
  [{ restore: 1, key: 'nps' }, ['/key']],
  [{ definition: {}, key: 'nps' }, ['/key']],
  [{ key: 'nps', expectedVersion: '1' }, ['/expectedVersion']],
  [{ key: 'nps', note: 'n'.repeat(201) }, ['/note']],
])('%j is no version', async (body, pointers) => {
  const { type, errors } = (await surface.call('POST', versions, { body })).envelope();
  expect([type, errors?.map(({ pointer }) => pointer)]).toEqual(['invalid-request', pointers]);
});

test('a version is answered with its definition byte for byte', async () => {
  const answer = await surface.call('GET', `${versions}/4`);
  expect(answer.text).toContain(',"key":"nps","definition": {"key" :"nps","n":1.0}\n},"meta":null}');
});
