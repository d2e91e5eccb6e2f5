// First, because the other modules create schemas.
import '../no-evaluation.ts';
import { validateInSlices } from '@parley/bot/definition';
import { loadPatterns } from '@parley/bot/patterns';
import { preparePlan } from '@parley/bot/plan';
import { answerPreviewCall } from '@parley/bot/preview-api';
import { PreviewConversation } from '@parley/bot/preview-conversation';
import { previewState } from '@parley/report/preview';
import { runInParts } from '../in-parts.ts';
import { beginningOf, type PageCall, type Run, type Shown } from './messages.ts';

/**
 * Begins the conversation of a run, in parts between which keys are handled, and repeats the inputs of the one before.
 * Resolves to undefined if it was ended, and for a definition with faults. Rejects if the patterns cannot be loaded.
 */
export async function beginRun(run: Run, ended: AbortSignal): Promise<PreviewConversation | undefined> {
  const { id, definition, beginsAt, advances } = run;
  await loadPatterns(definition);
  const checked = await runInParts(validateInSlices(definition), ended);
  if (!checked || !('definition' in checked)) return undefined;
  const conversation = new PreviewConversation(checked.definition, beginningOf(run), { id, beginsAt });
  if (!(await runInParts(preparePlan(conversation.definition), ended))) return undefined;
  conversation.replay(advances);
  return conversation;
}

/** Returns what a conversation has stored so far. */
export function shownOf(conversation: PreviewConversation): Shown {
  return { ...previewState(conversation), advances: [...conversation.advances] };
}

/** Answers a call of the frame's page at its port. A message at the port ends the call. */
export async function answerAt(
  port: MessagePort,
  conversation: PreviewConversation,
  { url, ...call }: PageCall,
  ended: AbortSignal,
): Promise<void> {
  const cancelled = new AbortController();
  port.addEventListener('message', () => cancelled.abort());
  port.start();
  const signal = AbortSignal.any([ended, cancelled.signal]);
  const answer = await answerPreviewCall(conversation, { ...call, url: new URL(url), signal });
  if (!signal.aborted) port.postMessage(answer);
  port.close();
}
