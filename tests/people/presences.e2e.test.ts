import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { npsBot } from '../conversations/sample-bots.ts';
import { createLink, type Person, signInBy } from './console-people.ts';

// Who has the editor of a bot open.

const { baseUrl } = inject('local');
const operator = inject('operator');

interface Presence {
  id: string;
  personId: string;
  openedAt: string;
}

let workspace: TestWorkspace;
let botId: string;
let ada: Person;
let grace: Person;
beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, operator);
  const signIn = async (role: 'editor' | 'viewer', name: string): Promise<Person> =>
    signInBy(baseUrl, await createLink(operator, workspace.id, role, name));
  [ada, grace] = [await signIn('editor', 'Ada'), await signIn('viewer', 'Grace')];
});
beforeEach(async () => {
  botId = await workspace.publish({ ...(npsBot as object), key: `watched-${randomUUID()}` });
});

const pathIn = (workspaceId: string) => `/workspaces/${workspaceId}/bots/${botId}/presences`;
const renew = ({ calls }: Pick<Person, 'calls'>, id: string) =>
  calls.post<{ presences: Presence[] }>(pathIn(workspace.id), { id });
const end = ({ calls }: Pick<Person, 'calls'>, id: string) => calls.delete(`${pathIn(workspace.id)}/${id}`);

test('people see who has the editor open, also those who may only read, and only the own tab can be closed', async () => {
  const [ofAda, ofGrace] = [randomUUID(), randomUUID()];
  await renew(ada, ofAda);
  const { body } = await renew(grace, ofGrace);
  const at = expect.any(String) as string;
  expect(body.data.presences).toEqual([
    { id: ofAda, personId: ada.personId, openedAt: at },
    { id: ofGrace, personId: grace.personId, openedAt: at },
  ]);
  expect((await end(grace, ofAda)).status).toBe(404);
  expect((await end(ada, ofAda)).status).toBe(200);
  expect((await end(ada, ofAda)).status).toBe(404);
  expect((await renew(grace, ofGrace)).body.data.presences).toEqual(body.data.presences.slice(1));
});

test('an API key is nobody who has an editor open', async () => {
  const path = `/bots/${botId}/presences`;
  const refused = [
    await workspace.api.post(path, { id: randomUUID() }),
    await workspace.api.delete(`${path}/${randomUUID()}`),
  ];
  for (const { status, body } of refused) expect([status, body.type]).toEqual([403, 'not-for-caller']);
  expect((await ada.calls.post(pathIn(workspace.id), { id: 'tab' })).status).toBe(400);
});

test('people of other workspaces, and those who were removed, see nobody and cannot be present', async () => {
  const elsewhere = await createWorkspace(baseUrl, operator);
  const stranger = await signInBy(baseUrl, await createLink(operator, elsewhere.id, 'owner', 'Eve'));
  const own = randomUUID();
  await renew(ada, own);
  expect((await renew(stranger, randomUUID())).status).toBe(404);
  expect((await stranger.calls.post(pathIn(elsewhere.id), { id: randomUUID() })).status).toBe(404);
  expect((await end(stranger, own)).status).toBe(404);

  const leaving = await signInBy(baseUrl, await createLink(operator, workspace.id, 'editor', 'Bob'));
  await leaving.calls.delete(`/workspaces/${workspace.id}/membership`);
  expect((await renew(leaving, randomUUID())).status).toBe(401);
  expect((await renew(ada, own)).body.data.presences.map(({ id }) => id)).toEqual([own]);
});

test('a presence leaves no audit event, and a person can have several tabs', async () => {
  const [first, second] = [randomUUID(), randomUUID()];
  await renew(ada, first);
  const { body } = await renew(ada, second);
  expect(body.data.presences.map(({ personId }) => personId)).toEqual([ada.personId, ada.personId]);
  const { data } = await workspace.client.audit.list({ target: botId });
  expect(data.map(({ action }) => action)).toEqual(['bot.created']);
});
