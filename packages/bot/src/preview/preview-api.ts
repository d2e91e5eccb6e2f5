import type { Message, PreviewOutcome, PreviewConversation } from './preview-conversation.ts';

export const previewWorkspaceId = 'preview';

/** Where the paths of the public API begin. */
export const publicPrefix = '/public/v1/';

/** How long a call may wait for a change, in seconds. */
const waitSecondsMax = 25;

/** A call of the public API, as a page of a link makes it. */
export interface PreviewCall {
  method: string;
  url: URL;
  /** The `Authorization` header. */
  authorization: string | null | undefined;
  /** The value of the JSON body, whatever it is. */
  body: unknown;
  /** Ends a call that waits. */
  signal: AbortSignal;
}

const notFound: PreviewOutcome = { status: 404, type: 'not-found', detail: 'There is no such resource' };
const malformed: PreviewOutcome = {
  status: 400,
  type: 'invalid-request',
  detail: 'The request is not valid',
};

/** Answers a call for one conversation in memory, with the status and the envelope that the gateway would send. */
export async function answerPreviewCall(conversation: PreviewConversation | undefined, call: PreviewCall) {
  const outcome = conversation ? await outcomeOf(conversation, call) : notFound;
  const success = !('status' in outcome);
  const { code, type, detail } = success ? { code: 200, detail: 'OK' } : { ...outcome, code: outcome.status };
  const rest = { data: outcome.data ?? null, meta: null, type, requestId: 'preview' };
  return { status: code, envelope: { success, code, detail, ...rest } };
}

async function outcomeOf(
  conversation: PreviewConversation,
  { method, url: { pathname, searchParams }, authorization, body, signal }: PreviewCall,
): Promise<PreviewOutcome> {
  const { id } = conversation;
  const path = pathname.slice(pathname.indexOf(publicPrefix) + publicPrefix.length);
  const given = Object(body) as Record<string, unknown>;
  if (method === 'POST' && path === 'link-sessions') {
    return given['token'] === id ? { data: session(conversation) } : notFound;
  }
  // A page of the previous conversation has another token.
  if (authorization !== `Bearer ${id}`) return notFound;
  if (method === 'GET' && path === `workspaces/${previewWorkspaceId}/pending`) {
    return { data: conversation.pending() };
  }
  const own = `workspaces/${previewWorkspaceId}/conversations/${id}`;
  if (method === 'POST' && path === `${own}/start`) return conversation.start();
  if (method === 'POST' && path === `${own}/messages`) {
    return isMessage(given) ? conversation.post(given) : malformed;
  }
  if (method === 'POST' && path === `${own}/revise`) {
    return isMessage(given) ? conversation.post(given, true) : malformed;
  }
  if (method !== 'GET' || path !== own) return notFound;
  const after = Number(searchParams.get('after'));
  const waitMs = Math.min(Number(searchParams.get('wait')), waitSecondsMax) * 1000;
  if (conversation.snapshot().seq <= after && waitMs > 0) await nextChange(conversation, waitMs, signal);
  return { data: conversation.snapshot(after, searchParams.get('revisedStepId') ?? undefined) };
}

/** Waits for a change of the conversation, at most `waitMs`, or until the call is ended. */
function nextChange(conversation: PreviewConversation, waitMs: number, ended: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([ended, AbortSignal.timeout(waitMs)]);
  return new Promise((resolve) => {
    conversation.addEventListener('change', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function session({ id, definition, status }: PreviewConversation) {
  const { name: botName } = definition;
  const link = { workspaceId: previewWorkspaceId, interactionId: id };
  return { sessionToken: id, expiresIn: 900, ...link, status, botName };
}

// The engine validates the answer.
function isMessage(given: Record<string, unknown>): given is Record<string, unknown> & Message {
  const { clientMessageId, expectedSeq, stepId, answer } = given;
  const hasIds = typeof clientMessageId === 'string' && typeof stepId === 'string';
  return hasIds && typeof expectedSeq === 'number' && typeof answer === 'object' && answer !== null;
}
