import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { answerPreviewCall, publicPrefix } from '@parley/bot/preview-api';
import type { PreviewConversation } from '@parley/bot/preview-conversation';

export function isPublicCall(path: string): boolean {
  return path.startsWith(publicPrefix);
}

/** Answers the landing page's calls of the public API, for one conversation. */
export async function answerPublicCall(
  conversation: PreviewConversation | undefined,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', headers } = request;
  const { authorization } = headers;
  const body = method === 'POST' ? await readBody(request) : undefined;
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  const call = { method, url, authorization, body, signal: closed.signal };
  const { status, envelope } = await answerPreviewCall(conversation, call);
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(envelope));
}

export async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  return Object(await json(request).catch(() => ({}))) as Record<string, unknown>;
}
