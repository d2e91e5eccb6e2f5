import { browserValues } from '../../../data/storage.ts';

/** A text of the editor that is not published. The browser keeps it, for each bot of each workspace. */
export interface Draft {
  text: string;
  /** The version from which it began. */
  opened: number;
  /** The version after which it is published. */
  base: number;
  /** When it changed last, as `Date` writes it. */
  at: string;
}

const keyOf = (workspaceId: string, botId: string): string => `parley-console-draft-${workspaceId}-${botId}`;

/** Returns the text of a bot that is not published. */
export function readDraft(workspaceId: string, botId: string): Draft | undefined {
  try {
    const found = JSON.parse(browserValues.getItem(keyOf(workspaceId, botId)) ?? 'null') as unknown;
    return isDraft(found) ? found : undefined;
  } catch {
    // Somebody else has written it.
    return undefined;
  }
}

function isDraft(found: unknown): found is Draft {
  const { text, opened, base, at } = (found ?? {}) as Partial<Draft>;
  const isVersion = (version: unknown): boolean => Number.isInteger(version);
  const isTime = typeof at === 'string' && !Number.isNaN(Date.parse(at));
  return typeof text === 'string' && isVersion(opened) && isVersion(base) && isTime;
}

/** Keeps a text until it is published or discarded. Returns whether the browser had room for it. */
export function keepDraft(workspaceId: string, botId: string, draft: Omit<Draft, 'at'>): boolean {
  try {
    const kept: Draft = { ...draft, at: new Date().toISOString() };
    localStorage.setItem(keyOf(workspaceId, botId), JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

/** Forgets the text of a bot. */
export function forgetDraft(workspaceId: string, botId: string): void {
  browserValues.removeItem(keyOf(workspaceId, botId));
}
