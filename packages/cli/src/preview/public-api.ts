import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from './body.ts';
import type { Message, Outcome, PreviewTalk } from './preview-talk.ts';

const workspaceId = 'preview';
const prefix = '/public/v1/';
const waitSecondsMax = 25;

const notFound: Outcome = { status: 404, type: 'not-found', detail: 'There is no such thing' };
const malformed: Outcome = { status: 400, type: 'invalid-request', detail: 'The request is not valid' };

/** Whether the path is one of the public API. */
export function isPublicCall(path: string): boolean {
  return path.startsWith(prefix);
}

/** Answers the calls of the public API that the landing screen makes (contract, section 7), for one talk. */
export async function answerPublicCall(
  talk: PreviewTalk | undefined,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const outcome = talk ? await outcomeOf(talk, url, request, response) : notFound;
  const isDone = !('status' in outcome);
  const code = isDone ? 200 : outcome.status;
  const { type, detail } = isDone ? { type: undefined, detail: 'OK' } : outcome;
  const rest = { data: outcome.data ?? null, meta: null, type, requestId: 'preview' };
  response.writeHead(code, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.end(JSON.stringify({ success: isDone, code, detail, ...rest }));
}

async function outcomeOf(
  talk: PreviewTalk,
  { pathname, searchParams }: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Outcome> {
  const { method } = request;
  const path = pathname.slice(prefix.length);
  if (method === 'POST' && path === 'link-sessions') {
    const { token } = await readBody(request);
    return token === talk.token ? { data: session(talk) } : notFound;
  }
  if (request.headers.authorization !== `Bearer ${talk.sessionToken}`) {
    // That of a talk before: its page is about to go.
    return notFound;
  }
  if (method === 'GET' && path === `workspaces/${workspaceId}/pending`) return { data: talk.pending() };
  const own = `workspaces/${workspaceId}/conversations/${talk.interactionId}`;
  if (method === 'POST' && path === `${own}/start`) return talk.start();
  if (method === 'POST' && path === `${own}/messages`) {
    const message = await readBody(request);
    return isMessage(message) ? talk.post(message) : malformed;
  }
  if (method !== 'GET' || path !== own) return notFound;
  const after = Number(searchParams.get('after'));
  const waitMs = Math.min(Number(searchParams.get('wait')), waitSecondsMax) * 1000;
  if (talk.snapshot().seq <= after && waitMs > 0) await changeOf(talk, waitMs, response);
  return { data: talk.snapshot(after) };
}

/** Until the talk has moved on, the time is over or nobody waits any more. */
async function changeOf(talk: PreviewTalk, waitMs: number, response: ServerResponse): Promise<void> {
  const over = new AbortController();
  const end = (): void => over.abort();
  const endListening = talk.onChange(end);
  const timer = setTimeout(end, waitMs);
  response.once('close', end);
  await once(over.signal, 'abort');
  clearTimeout(timer);
  endListening();
  response.off('close', end);
}

function session({ sessionToken, interactionId, definition, status }: PreviewTalk) {
  const { name: botName } = definition;
  return { sessionToken, expiresIn: 900, workspaceId, interactionId, status: status(), botName };
}

// What the answer itself says is for the engine to judge.
function isMessage(given: Record<string, unknown>): given is Record<string, unknown> & Message {
  const { clientMessageId, expectedSeq, stepId, answer } = given;
  const isNamed = typeof clientMessageId === 'string' && typeof stepId === 'string';
  return isNamed && typeof expectedSeq === 'number' && typeof answer === 'object' && answer !== null;
}
