// First, because the other modules create schemas.
import '../no-evaluation.ts';
import { validateInSlices } from '@parley/bot/definition';
import { loadPatterns } from '@parley/bot/patterns';
import { answerPreviewCall } from '@parley/bot/preview-api';
import { PreviewConversation } from '@parley/bot/preview-conversation';
import { previewState } from '@parley/report/preview';
import { runInParts } from '../in-parts.ts';
import { type Given, isGiven, type PreviewMessage } from './messages.ts';

// The page in the frame of the editor: the landing page, whose calls the engine answers here. Nothing leaves the page.

const id = location.pathname.split('/').findLast(Boolean) ?? '';

addEventListener('message', ({ data, origin, source }: MessageEvent<unknown>) => {
  if (origin === location.origin && source === parent && isGiven(data)) void show(data);
});
say({ isReady: true });

async function show({ definition, beginning, beginsAt, advances, branding }: Given): Promise<void> {
  try {
    await loadPatterns(definition);
  } catch {
    return say({ hasFailed: true });
  }
  // The editor around has the same thread: a key waits for what runs here.
  const checked = await runInParts(validateInSlices(definition));
  if (!checked || !('definition' in checked)) return;
  const { locale } = beginning;
  // The page has the language of the browser.
  if (locale !== undefined) Object.defineProperty(navigator, 'language', { value: locale });
  const conversation = new PreviewConversation(checked.definition, beginning, { id, beginsAt });
  conversation.replay(advances);
  const report = (): void =>
    say({ shown: { ...previewState(conversation), advances: conversation.advances } });
  conversation.addEventListener('change', report);
  report();
  globalThis.fetch = (input, init) => answer(conversation, new Request(input, init));
  if (branding !== null) document.head.append(meta('parley-branding', JSON.stringify(branding)));
  const script = document.querySelector<HTMLMetaElement>('meta[name="parley-landing"]')?.content ?? '';
  import(/* @vite-ignore */ script).catch(() => say({ hasFailed: true }));
}

async function answer(conversation: PreviewConversation, request: Request): Promise<Response> {
  const { method, headers, signal } = request;
  const url = new URL(request.url);
  const body: unknown = method === 'POST' ? await request.json() : undefined;
  const authorization = headers.get('authorization');
  const call = { method, url, authorization, body, signal };
  const { status, envelope } = await answerPreviewCall(conversation, call);
  signal.throwIfAborted();
  return Response.json(envelope, { status });
}

function meta(name: string, content: string): HTMLMetaElement {
  const element = document.createElement('meta');
  element.name = name;
  element.content = content;
  return element;
}

/** Sends the editor a message. It is of the same origin. */
function say(message: PreviewMessage): void {
  parent.postMessage(message, location.origin);
}
