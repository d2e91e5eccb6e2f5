import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { auditEventsOf } from './audit-log.ts';
import { createLink, fromConsole, signInBy } from './console-people.ts';
import { createMarkedWorkspace, markedBot, marks } from '../customers/marked-workspace.ts';
import { accessTo } from '../observed/isolation-ways.ts';
import { type NamedOperation, operationsOf } from '../api/operations.ts';
import { type CreatedLink, enterPortal, fromPortal } from './portal-sessions.ts';

// Contract 2, section 12: conversations that people read are in the audit log. Every read of the API is called.

const { baseUrl } = inject('local');
const operator = inject('operator');

let marked: Awaited<ReturnType<typeof createMarkedWorkspace>>;
beforeAll(async () => {
  marked = await createMarkedWorkspace(baseUrl, operator);
});
afterAll(() => marked.receiver[Symbol.asyncDispose]());

/** What customer and receiver have written, and a value of the evaluation with a name. */
const written = [marks.reason, marks.contact, marks.receiver, `To ${marks.lastName}`];

/** Reads that are no GET, with what they send. */
const bodies: Record<string, object> = {
  // Shows a value that differs.
  replayConversations: { definition: markedBot('Dear ') },
};
const reads = operationsOf(inject('openapi')).filter(
  (one) => accessTo(one) === 'key' && (one.method === 'GET' || one.operationId in bodies),
);

/** Returns whether the answer to an operation shows what was written, and which actions the audit log then has. */
async function read(
  { path, operationId, method: given }: NamedOperation,
  headers: Record<string, string>,
  actor: string,
  method = given,
): Promise<{ status: number; isShown: boolean; actions: string[] }> {
  const names: Record<string, string> = { ...marked.names };
  const body = bodies[operationId];
  const url = baseUrl + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '');
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const requestId = answer.headers.get('x-request-id');
  const events = (await auditEventsOf(marked.workspace, { actor })).filter(
    (event) => event.requestId === requestId,
  );
  return {
    status: answer.status,
    isShown: written.some((words) => text.includes(words)),
    actions: events.map(({ action }) => action),
  };
}

/** The reads that show conversations, with what the audit log says about each. */
const ofPeople = {
  exportCustomer: ['customer.exported'],
  exportInteractions: ['interactions.exported'],
  getCustomer: ['interactions.listed'],
  getDeliveryBody: ['delivery.opened'],
  getInteraction: ['interaction.opened'],
  listAttempts: ['attempts.listed'],
  listInteractions: ['interactions.listed'],
  replayConversations: ['interactions.listed'],
};

describe('a read of the API that shows what a customer or receiver has written', () => {
  test('leaves a row if a person makes it, and others leave none', async () => {
    const actions: Record<string, string[]> = {};
    for (const operation of reads) {
      const { operationId } = operation;
      // What a person has seen is not recorded again.
      const { cookie, personId } = await signInBy(
        baseUrl,
        await createLink(operator, marked.names.workspaceId),
      );
      const found = await read(operation, { ...fromConsole, cookie }, personId);
      // Its conversation has ended.
      const expected = operationId === 'getInteractionEmailBlock' ? 409 : 200;
      expect([operationId, found.status]).toEqual([operationId, expected]);
      expect([operationId, found.actions.length]).toEqual([operationId, found.isShown ? 1 : 0]);
      if (found.isShown) actions[operationId] = found.actions;
    }
    expect(actions).toEqual(ofPeople);
  });

  test.each([
    ['with', true, { getDeliveryBody: ['delivery.opened'], listAttempts: ['attempts.listed'] }],
    ['without', false, {}],
  ])('leaves a row if a portal link %s personal data makes it', async (_, personalData, expected) => {
    const actions: Record<string, string[]> = {};
    let answered = 0;
    for (const operation of reads) {
      const { body } = await marked.workspace.api.post<CreatedLink>('/webhooks/portal-links', {
        personalData,
      });
      const { cookie } = await enterPortal(baseUrl, body.data);
      const found = await read(operation, { ...fromPortal, cookie }, body.data.id);
      if (found.status === 200) answered += 1;
      expect([operation.operationId, found.actions.length]).toEqual([
        operation.operationId,
        found.isShown ? 1 : 0,
      ]);
      if (found.isShown) actions[operation.operationId] = found.actions;
    }
    expect(answered).toBeGreaterThan(8);
    expect(actions).toEqual(expected);
  });

  test('leaves no row of a delivery by HEAD, and one for its body after its attempts, once an hour', async () => {
    const { cookie, personId } = await signInBy(
      baseUrl,
      await createLink(operator, marked.names.workspaceId),
    );
    const of = (name: string) => reads.find(({ operationId }) => operationId === name) as NamedOperation;
    const actionsOf = async (name: string, method?: string): Promise<string[]> =>
      (await read(of(name), { ...fromConsole, cookie }, personId, method)).actions;
    for (const name of ['listAttempts', 'getDeliveryBody']) expect(await actionsOf(name, 'HEAD')).toEqual([]);
    expect(await actionsOf('listAttempts')).toEqual(['attempts.listed']);
    expect(await actionsOf('listAttempts')).toEqual([]);
    expect(await actionsOf('getDeliveryBody')).toEqual(['delivery.opened']);
    expect(await actionsOf('getDeliveryBody')).toEqual([]);
    expect(await actionsOf('listAttempts')).toEqual([]);
    const { deliveryId, webhookId, interactionId } = marked.names;
    const [opened] = await auditEventsOf(marked.workspace, {
      target: interactionId,
      actor: personId,
      action: 'delivery',
    });
    expect(opened?.targets).toEqual([
      { type: 'delivery', id: deliveryId },
      { type: 'webhook', id: webhookId },
      { type: 'interaction', id: interactionId },
    ]);
  });
});
