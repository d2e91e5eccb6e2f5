import { type Api, api, type TestWorkspace } from '@parley/testing/api';

/** A snapshot of a conversation (contract, section 7). */
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
}

/** A customer's browser: a session and the conversations that it reaches. */
export interface Browser {
  sessionToken: string;
  /** Below `/public/v1/workspaces/<id>`, with the session. */
  api: Api;
  start(interactionId: string): Promise<Snapshot>;
  /** Answers the current question; fails when it is not taken. */
  say(interactionId: string, snapshot: Snapshot, answer: Said): Promise<Snapshot>;
}

/** An answer as the public API takes it. */
export type Said = { value: unknown } | { text: string } | { skip: true };

let messages = 0;

/** An id that no other message has. */
export function messageId(): string {
  messages += 1;
  return `message-${process.pid}-${messages}-${Date.now()}`;
}

/** Opens a session for a customer, by the token that the client's backend fetches for it. */
export async function openBrowser(
  baseUrl: string,
  workspace: TestWorkspace,
  customerId: string,
): Promise<Browser> {
  const path = `/customers/${encodeURIComponent(customerId)}/token`;
  const { body: token } = await workspace.api.post<{ customerToken: string }>(path);
  const open = api(`${baseUrl}/public/v1/workspaces/${workspace.id}`, undefined);
  const { body } = await open.post<{ sessionToken: string }>('/sessions', {
    customerToken: token.data.customerToken,
  });
  return browserWith(baseUrl, workspace.id, body.data.sessionToken);
}

/** The browser that holds this session. */
export function browserWith(baseUrl: string, workspaceId: string, sessionToken: string): Browser {
  const session = api(`${baseUrl}/public/v1/workspaces/${workspaceId}`, `Bearer ${sessionToken}`);
  const snapshotOf = (answer: { status: number; body: { data: Snapshot; detail: string } }): Snapshot => {
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body.detail}`);
    return answer.body.data;
  };
  return {
    sessionToken,
    api: session,
    start: async (id) => snapshotOf(await session.post<Snapshot>(`/conversations/${id}/start`)),
    say: async (id, snapshot, answer) =>
      snapshotOf(
        await session.post<Snapshot>(`/conversations/${id}/messages`, {
          clientMessageId: messageId(),
          expectedSeq: snapshot.seq,
          stepId: snapshot.input?.stepId,
          answer,
        }),
      ),
  };
}
