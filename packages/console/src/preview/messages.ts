import type { Branding } from '@parley/client';
import type { Beginning } from '@parley/bot/engine';
import type { Advance } from '@parley/bot/preview-conversation';
import type { PreviewState } from '@parley/report/preview';

/** What the editor gives to the frame of the preview, once it is ready. */
export interface Given {
  /** A valid definition. */
  definition: Record<string, unknown>;
  beginning: Beginning;
  /** The inputs of the conversation before, which are repeated as far as they fit. */
  advances: readonly Advance[];
  branding: Branding | null;
}

export interface Shown extends PreviewState {
  advances: readonly Advance[];
}

/** What the frame says: that it waits for a definition, what it shows, or that its page cannot be loaded. */
export interface Said {
  isReady?: true;
  shown?: Shown;
  hasFailed?: true;
}

/** Returns whether a message of the editor gives a definition: pages of extensions send messages, too. */
export function isGiven(data: unknown): data is Given {
  return typeof data === 'object' && data !== null && 'definition' in data && 'beginning' in data;
}
