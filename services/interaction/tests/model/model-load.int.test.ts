import { type ModelReply, startModelEndpoint } from '@parley/testing/peers/model-endpoint';
import { eventually } from '@parley/testing/eventually';
import { expect, it } from 'vitest';
import { startInteractions } from '../fixture.ts';
import { ordering } from '../reading/ordering.ts';
import { type WorkspaceWithConversations, workspaceWithConversations } from '../conversations.ts';

const food: ModelReply = { says: { label: 'food' } };

/** The service with a model whose answers depend on the customer's text. */
async function startWithModel(
  timeoutMs: number,
  respond: (asked: string) => ModelReply | Promise<ModelReply>,
) {
  const stack = new AsyncDisposableStack();
  const { baseUrl, questions } = stack.use(
    await startModelEndpoint(({ messages }) => respond(messages.at(-1)?.content ?? '')),
  );
  const env = { LLM_BASE_URL: baseUrl, LLM_MODEL: 'm', LLM_TIMEOUT_MS: String(timeoutMs) };
  const service = stack.use(await startInteractions({ env }));
  return { service, questions, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** How many customers talk at once. The turns of more would have to wait too long on a busy machine. */
const callersMax = 16;

/** Conversations of a workspace whose customers have just answered: each waits for the model. */
async function tell(workspace: WorkspaceWithConversations, count: number, text: string): Promise<string[]> {
  const bot = await workspace.publish(ordering('classify'));
  const session = workspace.session();
  const ids: string[] = [];
  const tellNext = async (): Promise<void> => {
    while (ids.length < count) {
      const at = ids.push('') - 1;
      const { id } = await workspace.offer(bot);
      ids[at] = id;
      const { seq } = await workspace.begin(session, id);
      await workspace.post(session, id, { seq, stepId: 'want', answer: { text } });
    }
  };
  await Promise.all(Array.from({ length: callersMax }, tellNext));
  return ids;
}

const completed = (workspace: WorkspaceWithConversations, ids: string[], words: string) =>
  eventually(async () => {
    const conversations = await Promise.all(ids.map((id) => workspace.get(id)));
    expect(conversations.filter(({ status }) => status !== 'Completed')).toEqual([]);
    for (const { data } of conversations) expect(data).toContain(words);
  });

it('with an unresponsive model, each conversation waits at most its time in the queue and its time for the answer', async () => {
  // Much longer than all of them need to start waiting.
  const timeoutMs = 3_000;
  await using system = await startWithModel(timeoutMs, () => 'hang');
  const workspace = workspaceWithConversations(system.service);
  const ids = await tell(workspace, 120, 'Two cakes');
  const from = performance.now();
  await completed(workspace, ids, 'We shall see.');
  // Without a limit for the time in the queue this would take eight times the time-out.
  expect(performance.now() - from).toBeLessThan(5 * timeoutMs);
  expect(system.questions.length).toBeLessThan(ids.length / 2);
});

it('a workspace with many questions leaves capacity for others, and gets its own answers', async () => {
  const { promise: late, resolve } = Promise.withResolvers<ModelReply>();
  await using system = await startWithModel(60_000, (asked) => (asked.includes('slow') ? late : food));
  const many = workspaceWithConversations(system.service);
  const slow = await tell(many, 40, 'slow cakes');
  await eventually(() => expect(system.questions).toHaveLength(16));
  const other = workspaceWithConversations(system.service);
  const quick = await tell(other, 20, 'quick cakes');
  await completed(other, quick, '"outcome":"food"');
  expect(system.questions).toHaveLength(16 + quick.length);
  resolve(food);
  await completed(many, slow, '"outcome":"food"');
});
