import type { OperatorAccess } from '@parley/local/demo/demo';
import { type Answer, type Api, api, type TestWorkspace } from '@parley/testing/api';
import { createNpsWorkspace } from '../insight/nps-workspace.ts';

export interface Snapshot {
  status: string;
  seq: number;
  entries: { seq: number; type: 'bot' | 'customer'; body: string; timestamp: number }[];
  input: {
    stepId: string;
    type: string;
    required: boolean;
    choices?: { value: string; label: string }[];
  } | null;
  awaiting: string | null;
  progress: number;
  expiresAt: string | null;
  botName: string;
}

/** A customer's browser: a session and its conversations. */
export interface Browser {
  sessionToken: string;
  /** Calls below `/public/v1/workspaces/<id>`, with the session. */
  api: Api;
  look(interactionId: string, query?: string): Promise<Answer<Snapshot>>;
  send(interactionId: string, message: unknown): Promise<Answer<Snapshot>>;
  /** Throws `Refused` if the conversation cannot be started. */
  start(interactionId: string): Promise<Snapshot>;
  /** Answers the current question. Throws `Refused` if the answer is rejected. */
  say(interactionId: string, snapshot: Snapshot, answer: Said): Promise<Snapshot>;
}

/** An answer in the form of the public API. */
export type Said = { value: unknown } | { text: string } | { skip: true };

export class Refused extends Error {
  override readonly name = 'Refused';

  constructor({ status, body }: Answer<unknown>) {
    super(`${status} ${body.type}`);
  }
}

/** Returns the data of a successful answer. Throws `Refused`. */
export function taken<Data>(answer: Answer<Data>): Data {
  if (answer.status !== 200) throw new Refused(answer);
  return answer.body.data;
}

let messages = 0;

export function messageId(): string {
  messages += 1;
  return `message-${process.pid}-${messages}-${Date.now()}`;
}

/** Returns the message that answers the question of the snapshot. */
export function messageTo<Given>(
  { seq, input }: Pick<Snapshot, 'seq' | 'input'>,
  answer: Given,
  clientMessageId = messageId(),
) {
  return { clientMessageId, expectedSeq: seq, stepId: input?.stepId ?? '', answer };
}

/** Creates a workspace with the NPS bot and the customer `c`, Anna, who has a browser session. */
export async function createConversationWorkspace(baseUrl: string, operator: OperatorAccess) {
  const { workspace, ...interactions } = await createNpsWorkspace(baseUrl, operator);
  await workspace.api.post('/customers', { id: 'c', firstName: 'Anna' });
  const browser = await openBrowser(baseUrl, workspace, 'c');
  const create = async (body: object = {}) =>
    (await interactions.create({ status: 'Pending', ...body })).body.data;
  return {
    workspace,
    browser,
    /** Creates an interaction for Anna; default status: Pending. */
    create,
    read: async (id: string) => (await interactions.get(id)).body.data,
    begin: async (body: object = {}): Promise<{ id: string; snapshot: Snapshot }> => {
      const { id } = await create(body);
      return { id, snapshot: await browser.start(id) };
    },
  };
}

/** Opens a session with a customer token. Throws `Refused`. */
export async function openBrowser(
  baseUrl: string,
  workspace: TestWorkspace,
  customerId: string,
): Promise<Browser> {
  const path = `/customers/${encodeURIComponent(customerId)}/token`;
  const { customerToken } = taken(await workspace.api.post<{ customerToken: string }>(path));
  const open = api(`${baseUrl}/public/v1/workspaces/${workspace.id}`, undefined);
  const { sessionToken } = taken(await open.post<{ sessionToken: string }>('/sessions', { customerToken }));
  return browserWith(baseUrl, workspace.id, sessionToken);
}

export function browserWith(baseUrl: string, workspaceId: string, sessionToken: string): Browser {
  const session = api(`${baseUrl}/public/v1/workspaces/${workspaceId}`, `Bearer ${sessionToken}`);
  const send = (id: string, message: unknown) =>
    session.post<Snapshot>(`/conversations/${id}/messages`, message);
  return {
    sessionToken,
    api: session,
    look: (id, query = '') => session.get(`/conversations/${id}${query}`),
    send,
    start: async (id) => taken(await session.post<Snapshot>(`/conversations/${id}/start`)),
    say: async (id, snapshot, answer) => taken(await send(id, messageTo(snapshot, answer))),
  };
}
