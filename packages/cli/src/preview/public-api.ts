import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Message, Outcome, PreviewConversation } from './preview-conversation.ts';

const workspaceId = 'preview';
const prefix = '/public/v1/';
const waitSecondsMax = 25;

const notFound: Outcome = { status: 404, type: 'not-found', detail: 'There is no such resource' };
const malformed: Outcome = { status: 400, type: 'invalid-request', detail: 'The request is not valid' };

/** Returns whether a path belongs to the public API. */
export function isPublicCall(path: string): boolean {
  return path.startsWith(prefix);
}

/** Answers the landing page's calls of the public API, for one conversation. */
export async function answerPublicCall(
  conversation: PreviewConversation | undefined,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const outcome = conversation ? await outcomeOf(conversation, url, request, response) : notFound;
  const success = !('status' in outcome);
  const { code, type, detail } = success ? { code: 200, detail: 'OK' } : { ...outcome, code: outcome.status };
  const rest = { data: outcome.data ?? null, meta: null, type, requestId: 'preview' };
  response.writeHead(code, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ success, code, detail, ...rest }));
}

/** Returns the JSON object in a request's body, or an empty one. */
export async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  return Object(await json(request).catch(() => ({}))) as Record<string, unknown>;
}

async function outcomeOf(
  conversation: PreviewConversation,
  { pathname, searchParams }: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Outcome> {
  const { method } = request;
  const path = pathname.slice(prefix.length);
  if (method === 'POST' && path === 'link-sessions') {
    const { token } = await readBody(request);
    return token === conversation.token ? { data: session(conversation) } : notFound;
  }
  // A page of the previous conversation has another token.
  if (request.headers.authorization !== `Bearer ${conversation.sessionToken}`) return notFound;
  if (method === 'GET' && path === `workspaces/${workspaceId}/pending`)
    return { data: conversation.pending() };
  const own = `workspaces/${workspaceId}/conversations/${conversation.interactionId}`;
  if (method === 'POST' && path === `${own}/start`) return conversation.start();
  if (method === 'POST' && path === `${own}/messages`) {
    const message = await readBody(request);
    return isMessage(message) ? conversation.post(message) : malformed;
  }
  if (method !== 'GET' || path !== own) return notFound;
  const after = Number(searchParams.get('after'));
  const waitMs = Math.min(Number(searchParams.get('wait')), waitSecondsMax) * 1000;
  if (conversation.snapshot().seq <= after && waitMs > 0) await nextChange(conversation, waitMs, response);
  return { data: conversation.snapshot(after) };
}

/** Waits for a change of the conversation, at most `waitMs`, or until the browser closes the connection. */
async function nextChange(
  conversation: PreviewConversation,
  waitMs: number,
  response: ServerResponse,
): Promise<void> {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(waitMs)]);
  await once(conversation, 'change', { signal }).catch(() => {});
}

function session({ sessionToken, interactionId, definition, status }: PreviewConversation) {
  const { name: botName } = definition;
  return { sessionToken, expiresIn: 900, workspaceId, interactionId, status, botName };
}

// The engine validates the answer.
function isMessage(given: Record<string, unknown>): given is Record<string, unknown> & Message {
  const { clientMessageId, expectedSeq, stepId, answer } = given;
  const hasIds = typeof clientMessageId === 'string' && typeof stepId === 'string';
  return hasIds && typeof expectedSeq === 'number' && typeof answer === 'object' && answer !== null;
}
