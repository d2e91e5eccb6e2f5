import type { Branding } from '@parley/client';
import type { Beginning } from '@parley/bot/engine';
import type { answerPreviewCall, PreviewCall } from '@parley/bot/preview-api';
import type { Advance } from '@parley/bot/preview-conversation';
import type { PreviewState } from '@parley/report/preview';

/** What the editor gives to the page in the frame, once it is ready. */
export interface Given {
  /** The customer's language. Undefined: the browser's. */
  locale: string | undefined;
  branding: Branding | null;
}

/** A call of the public API that the page makes. The message has a port for its answer. */
export type PageCall = Omit<PreviewCall, 'url' | 'signal'> & { url: string };

export type PageAnswer = Awaited<ReturnType<typeof answerPreviewCall>>;

/** What the page says: that it waits for what it is given, a call, or that it cannot be loaded. */
export interface PreviewMessage {
  isReady?: true;
  call?: PageCall;
  hasFailed?: true;
}

/** What a conversation has stored, and the inputs that led there. */
export interface Shown extends PreviewState {
  advances: readonly Advance[];
}

/** Returns whether a message of the editor is what the page waits for: pages of extensions send messages, too. */
export function isGiven(data: unknown): data is Given {
  return typeof data === 'object' && data !== null && 'branding' in data;
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
  /** The step at which the conversation begins. Undefined: the first one. */
  beginsAt?: string | undefined;
  /** The inputs of the conversation before, which are repeated as far as they fit. */
  advances: readonly Advance[];
}

/** The id differs from all earlier ones, so the frame loads another page. */
export function newRunId(): string {
  return `${Date.now().toString(36)}-${Math.trunc(performance.now()).toString(36)}`;
}

/** Returns how a conversation begins. An empty field of the context is a property that is not given. */
export function beginningOf({ context, locale }: Pick<Run, 'context' | 'locale'>): Beginning {
  const given = Object.fromEntries(Object.entries(context).filter(([, value]) => value !== ''));
  return { context: given, customer: { id: 'preview' }, ...(locale !== undefined && { locale }) };
}
