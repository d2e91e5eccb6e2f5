import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type WorkspaceWithConversations, workspaceWithConversations } from './conversations.ts';
import { call, type Interactions, startInteractions } from './fixture.ts';
import { twoQuestions } from './model/two-questions.ts';

let service: Interactions;
let workspace: WorkspaceWithConversations;
let botId: string;

beforeAll(async () => {
  service = await startInteractions();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});
beforeEach(async () => {
  workspace = workspaceWithConversations(service);
  botId = await workspace.publish(twoQuestions());
});

const create = async (fields: { responsesMax?: number } = {}) => {
  const { workspaceId } = workspace;
  const given = { workspaceId, botId, name: 'Table', contextKeys: [], expiresAt: null, isTest: false };
  const request = { ...given, createdBy: 'key', idempotency: null, ...fields };
  const { link } = await service.openLinks.createOpenLink(request, call);
  return link ?? expect.fail('no link');
};
const one = (openLinkId: string) => ({ workspaceId: workspace.workspaceId, botId, openLinkId });
const respond = (token: string, visit: string = randomUUID()) =>
  service.openLinks.respondToOpenLink({ token, visit, context: [] }, call);

describe('an open link', () => {
  it('is read, listed, changed and deleted within its workspace and bot', async () => {
    const link = await create();
    const { openLinks } = service;
    expect(await openLinks.getOpenLink(one(link.id), call)).toEqual(link);
    const page = { workspaceId: workspace.workspaceId, botId, cursor: '', limit: 10 };
    expect((await openLinks.listOpenLinks(page, call)).links).toEqual([link]);
    const change = { ...one(link.id), isClosed: true, expiresAt: null, context: null };
    expect(await openLinks.updateOpenLink(change, call)).toEqual({ ...link, isClosed: true, version: 2 });
    const elsewhere = { ...one(link.id), workspaceId: randomUUID() };
    await expect(openLinks.deleteOpenLink(elsewhere, call)).rejects.toMatchObject({ code: 'not_found' });
    await openLinks.deleteOpenLink(one(link.id), call);
    await expect(openLinks.getOpenLink(one(link.id), call)).rejects.toMatchObject({ code: 'not_found' });
    expect(await openLinks.visitOpenLink({ token: link.token }, call)).toMatchObject({ state: 'Closed' });
  });

  it('shows how the conversation of an interaction would begin, and writes nothing', async () => {
    const { id, linkToken } = await workspace.offer(botId);
    const before = await workspace.get(id);
    const { conversations } = service;
    const ofKey = { workspaceId: workspace.workspaceId, interactionId: id };
    const preview = await conversations.previewInteraction(ofKey, call);
    expect(preview).toMatchObject({ status: 'Pending', inputJson: expect.stringContaining('stepId') });
    const { interactionId, linkVersion } = await conversations.openLink({ token: linkToken }, call);
    const subject = { $case: 'interaction', value: { interactionId, linkVersion } } as const;
    const session = { workspaceId: workspace.workspaceId, subject, fenceVersion: 0 };
    const ofLink = await conversations.previewConversation({ session, interactionId: id }, call);
    expect(ofLink.inputJson).toBe(preview.inputJson);
    expect(await workspace.get(id)).toEqual(before);
  });

  it('gives the same interaction to a visit that repeats its call, at once too', async () => {
    const { token, id } = await create();
    const answers = await Promise.all(Array.from({ length: 5 }, () => respond(token, 'visit-1')));
    expect(new Set(answers.map(({ linkToken }) => linkToken)).size).toBe(1);
    expect(await service.openLinks.getOpenLink(one(id), call)).toMatchObject({ responses: 1 });
  });

  it('takes nobody while the bot is not live, and begins with its first text', async () => {
    const { workspaceId } = workspace;
    const bot = { ...twoQuestions(undefined, 'imported'), context: [], evaluation: {} };
    const only = { ...bot, steps: [{ id: 'end', kind: 'end' }] };
    botId = await workspace.publish(only);
    const { token } = await create();
    expect(await service.openLinks.visitOpenLink({ token }, call)).toMatchObject({ state: 'Closed' });
    await expect(respond(token)).rejects.toMatchObject({ code: 'gone' });
    await expect(workspace.offer(botId)).rejects.toMatchObject({ code: 'invalid_argument' });
    const definition = JSON.stringify({ ...only, steps: [{ id: 'end', kind: 'end', text: 'Bye' }] });
    await service.bots.publishBotVersion(
      { workspaceId, id: botId, definition, publishedBy: 'key', idempotency: null },
      call,
    );
    expect(await service.openLinks.visitOpenLink({ token }, call)).toMatchObject({ state: 'Open' });
    await respond(token);
  });

  it('takes exactly its number of responses over two replicas', async () => {
    const { token, id } = await create({ responsesMax: 5 });
    await using replica = await service.startReplica();
    const answers = await Promise.allSettled(
      Array.from({ length: 30 }, (_, at) =>
        (at % 2 ? service : replica).openLinks.respondToOpenLink(
          { token, visit: randomUUID(), context: [] },
          call,
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'gone' });
    }
    expect(await service.openLinks.getOpenLink(one(id), call)).toMatchObject({ responses: 5 });
    expect(await service.openLinks.visitOpenLink({ token }, call)).toMatchObject({ state: 'Full' });
  });
});
