import type { Branding } from '@parley/client';
import type { Beginning } from '@parley/bot/engine';
import type { Advance } from '@parley/bot/preview-conversation';
import type { PreviewState } from '@parley/report/preview';

/** What the editor gives to the frame of the preview, once it is ready. */
export interface Given {
  /** A valid definition. */
  definition: Record<string, unknown>;
  beginning: Beginning;
  /** The step at which the conversation begins. Undefined: the first one. */
  beginsAt: string | undefined;
  /** The inputs of the conversation before, which are repeated as far as they fit. */
  advances: readonly Advance[];
  branding: Branding | null;
}

export interface Shown extends PreviewState {
  advances: readonly Advance[];
}

/** What the frame says: that it waits for a definition, what it shows, or that its page cannot be loaded. */
export interface PreviewMessage {
  isReady?: true;
  shown?: Shown;
  hasFailed?: true;
}

/** Returns whether a message of the editor gives a definition: pages of extensions send messages, too. */
export function isGiven(data: unknown): data is Given {
  return typeof data === 'object' && data !== null && 'definition' in data && 'beginning' in data;
}

/** The definition that is shown, and what the conversation starts with. */
export interface Run {
  /** The last part of the frame's address. Another one is another page. */
  id: string;
  /** A valid definition. */
  definition: Record<string, unknown>;
  context: Record<string, string>;
  /** The customer's language. Undefined: the bot's own. */
  locale?: string | undefined;
  beginsAt?: Given['beginsAt'];
  advances: Given['advances'];
}

/** The id differs from all earlier ones, so the frame loads another page. */
export function newRunId(): string {
  return `${Date.now().toString(36)}-${Math.trunc(performance.now()).toString(36)}`;
}

/** Returns what the frame is given for a run. */
export function givenOf(run: Run, branding: Given['branding']): Given {
  const { definition, beginsAt, advances } = run;
  return { definition, beginning: beginningOf(run), beginsAt, advances, branding };
}

/** Returns how a conversation begins. An empty field of the context is a property that is not given. */
export function beginningOf({ context, locale }: Pick<Run, 'context' | 'locale'>): Beginning {
  const given = Object.fromEntries(Object.entries(context).filter(([, value]) => value !== ''));
  return { context: given, customer: { id: 'preview' }, ...(locale !== undefined && { locale }) };
}
