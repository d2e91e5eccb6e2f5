import type { IncomingMessage } from 'node:http';

const bodyCharsMax = 64 * 1024;

/** The JSON object that a request brings; an empty one for everything else. */
export async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > bodyCharsMax) return {};
  }
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
