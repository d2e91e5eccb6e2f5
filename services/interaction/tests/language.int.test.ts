import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Interactions, startInteractions } from './fixture.ts';
import { type WorkspaceWithConversations, workspaceWithConversations } from './conversations.ts';

let service: Interactions;
let workspace: WorkspaceWithConversations;
let bot: string;

beforeAll(async () => {
  service = await startInteractions();
  workspace = workspaceWithConversations(service);
  bot = await workspace.publish({
    schemaVersion: 1,
    key: 'greeter',
    name: 'Greeter',
    type: 'Greeting',
    locale: 'en',
    steps: [
      { id: 'hi', kind: 'say', text: { en: 'Hello', fr: 'Bonjour' } },
      { id: 'name', kind: 'ask', text: { en: 'Your name?', fr: 'Votre nom ?' }, input: { type: 'text' } },
      { id: 'bye', kind: 'end', text: { en: 'Goodbye', fr: 'Au revoir' } },
    ],
  });
});
afterAll(() => service[Symbol.asyncDispose]());

async function begin(locale: string | undefined) {
  const { id } = await workspace.offer(bot);
  return { id, snapshot: await workspace.begin(workspace.session(), id, locale) };
}

it.each([
  ['fr', 'Bonjour'],
  ['fr-CA', 'Bonjour'],
  ['fr-x-mine', 'Bonjour'],
  ['fr-Latn-CA-u-nu-latn', 'Bonjour'],
  ['de', 'Hello'],
  [undefined, 'Hello'],
])('a conversation that starts in %s says %s', async (locale, words) => {
  const { snapshot } = await begin(locale);
  expect(snapshot.entries[0]?.body).toBe(words);
});

it('a conversation keeps its language when it is started again', async () => {
  const { id } = await begin('fr');
  const session = workspace.session();
  expect((await workspace.begin(session, id, 'en')).entries[0]?.body).toBe('Bonjour');
  const answer = { seq: 2, stepId: 'name', answer: { value: 'Ada' } };
  const { snapshot } = await workspace.post(session, id, answer);
  expect(snapshot.entries.at(-1)?.body).toBe('Au revoir');
});
