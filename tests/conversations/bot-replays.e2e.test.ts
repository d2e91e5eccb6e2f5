import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Replays } from '@parley/client';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runCommand } from '../../packages/cli/tests/run-command.ts';
import { openBrowser, type Said, taken } from './conversation.ts';

// Finished conversations with another definition, before it is published.

const { baseUrl } = inject('local');
const score = {
  id: 'score',
  kind: 'ask',
  text: 'How good?',
  input: { type: 'nps' },
  evaluation: 'score',
  next: [{ if: 'answers.score >= 9', goto: 'thanks' }, { else: 'why' }],
};
const why = { id: 'why', kind: 'ask', text: 'Why?', input: { type: 'text' }, evaluation: 'why' };
const ends = [
  { id: 'sorry', kind: 'end', text: 'Sorry.' },
  { id: 'thanks', kind: 'end', text: 'Thanks!' },
];
const bot = {
  schemaVersion: 1,
  key: 'coffee',
  name: 'Coffee',
  type: 'Survey',
  evaluation: { score: {}, why: {} },
  steps: [score, why, ...ends],
};
const threshold = (from: number) => ({
  ...bot,
  steps: [
    { ...score, next: [{ if: `answers.score >= ${from}`, goto: 'thanks' }, { else: 'why' }] },
    why,
    ...ends,
  ],
});

let workspace: TestWorkspace;
let botId: string;
let ids: { nine: string; three: string };
let folder: string;

/** Has a conversation to its end. */
async function finish(customerId: string, answers: Said[]): Promise<string> {
  const { id } = taken(await workspace.api.post<{ id: string }>('/interactions', { customerId, botId }));
  await workspace.api.patch(`/interactions/${id}`, { status: 'Pending' });
  const browser = await openBrowser(baseUrl, workspace, customerId);
  let snapshot = await browser.start(id);
  for (const answer of answers) snapshot = await browser.say(id, snapshot, answer);
  return id;
}

beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  botId = await workspace.publish(bot);
  ids = {
    nine: await finish('a', [{ value: 9 }]),
    three: await finish('b', [{ value: 3 }, { value: 'Cold' }]),
  };
  // Open ones do not count.
  await finish('c', [{ value: 3 }]);
  folder = await mkdtemp(join(tmpdir(), 'parley-replays-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const replay = async (body: object) =>
  (await workspace.api.post<Replays>(`/bots/${botId}/replays`, body)).body;

test('other words and another condition are shown, with what each causes', async () => {
  const none = { differing: 0, incomplete: 0, differences: [], groups: [] };
  expect((await replay({ definition: bot })).data).toEqual({ ...none, replayed: 2 });
  const reworded = { ...bot, steps: [{ ...score, text: 'Rate us' }, why, ...ends] };
  const text = { stepId: 'score', before: 'How good?', after: 'Rate us' };
  expect((await replay({ definition: reworded })).data).toMatchObject({
    differing: 2,
    differences: [
      { interactionId: ids.three, hearsAnotherText: true, takesAnotherWay: false, evaluationKeys: [] },
      { interactionId: ids.nine, hearsAnotherText: true },
    ],
    groups: [{ count: 2, newest: { interactionId: ids.three }, texts: [text], evaluation: [] }],
  });
  expect((await replay({ definition: threshold(10), conversations: 1 })).data).toEqual({
    ...none,
    replayed: 1,
  });
  const newest = {
    interactionId: ids.nine,
    botVersion: 1,
    completedAt: expect.any(String) as string,
    before: { stepIds: ['score'], endStepId: 'thanks', stopped: null },
    after: { stepIds: ['score', 'why'], endStepId: null, stopped: { stepId: 'why', reason: 'no-answer' } },
    takesAnotherWay: true,
    endsDifferently: false,
    evaluationKeys: [],
    hearsAnotherText: false,
  };
  expect((await replay({ definition: threshold(10) })).data).toEqual({
    replayed: 2,
    differing: 1,
    incomplete: 0,
    differences: [newest],
    groups: [{ count: 1, newest, texts: [], evaluation: [] }],
  });
  expect((await replay({ definition: threshold(3) })).data).toMatchObject({
    differing: 1,
    differences: [{ interactionId: ids.three, endsDifferently: true, evaluationKeys: ['why'] }],
    groups: [
      {
        texts: [{ stepId: null, before: 'Sorry.', after: 'Thanks!' }],
        evaluation: [{ key: 'why', before: 'Cold', after: null }],
      },
    ],
  });
  const { data: versions } = await workspace.client.bots.listVersions(botId);
  expect(versions).toHaveLength(1);
});

test('a faulty definition, too many conversations and another bot are refused', async () => {
  const faulty = await replay({ definition: { ...bot, type: 1 } });
  expect([faulty.code, faulty.errors?.[0]?.pointer]).toEqual([400, '/definition/type']);
  expect((await replay({ definition: bot, conversations: 501 })).errors).toMatchObject([
    { pointer: '/conversations' },
  ]);
  expect((await replay({})).code).toBe(400);
  const other = await createWorkspace(baseUrl, inject('operator'));
  expect((await other.api.post(`/bots/${botId}/replays`, { definition: bot })).status).toBe(404);
});

test('parley bot replay prints the conversations that go differently', async () => {
  const parley = (...args: string[]) =>
    runCommand(['bot', 'replay', ...args], {
      cwd: folder,
      env: {
        PARLEY_URL: baseUrl,
        PARLEY_API_KEY: workspace.apiKey,
        PARLEY_API_SECRET: workspace.apiSecret,
      },
    });
  await writeFile(join(folder, 'coffee.json'), JSON.stringify(threshold(10)));
  const { exitCode, stdout } = await parley('coffee.json');
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`${ids.nine}  1        score > thanks  score > why > no-answer!`);
  expect(stdout).toMatch(/\n2 replayed, 1 go differently\n$/);
  await writeFile(join(folder, 'coffee.json'), JSON.stringify(bot));
  expect((await parley('coffee.json')).stdout).toBe('2 replayed, 0 go differently\n');
  expect((await parley('coffee.json', '--conversations', '0')).exitCode).toBe(2);
});
