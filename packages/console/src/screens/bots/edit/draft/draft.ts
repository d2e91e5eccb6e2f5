import { queries } from '../../../../data/queries.ts';
import { sessionQuery } from '../../../../data/session/session.ts';
import { browserValues } from '../../../../data/session/storage.ts';

/** A text of the editor that is not published. The browser keeps it, for each bot of each workspace. */
export interface BotDraft {
  text: string;
  /** The version from which it began. */
  opened: number;
  /** The version after which it is published. */
  base: number;
  /** When it changed last, as `Date` writes it. */
  at: string;
  /** Who has written it: people share browsers. Drafts of earlier consoles do not say it. */
  by?: { id: string; name: string } | undefined;
  /** The ETag of the draft that it follows, as the service has it. */
  tag?: string | undefined;
  /** Whether the service has this text. */
  isSaved?: boolean | undefined;
  /** Marks of texts that were sent, and that the service may have. */
  sent?: readonly string[] | undefined;
}

const writer = (): BotDraft['by'] => {
  const session = queries.getQueryData(sessionQuery.queryKey);
  return session && { id: session.id, name: session.name };
};

export function otherWriter({ by }: BotDraft): string | undefined {
  return by && by.id !== writer()?.id ? by.name : undefined;
}

const keyOf = (workspaceId: string, botId: string): string => `parley-console-draft-${workspaceId}-${botId}`;

/** What this tab has read or kept last, by key. Another tab may have kept a text of its own since. */
const own = new Map<string, string>();
/** What another tab had kept when this one forgot its own: its editor does not open with that. */
const others = new Map<string, string>();

/** Undefined if the text of the bot is published. */
export function readDraft(workspaceId: string, botId: string): BotDraft | undefined {
  const key = keyOf(workspaceId, botId);
  try {
    const stored = browserValues.getItem(key) ?? 'null';
    const found = JSON.parse(stored) as unknown;
    if (!isDraft(found) || stored === others.get(key)) return undefined;
    own.set(key, stored);
    return found;
  } catch {
    // Somebody else has written it.
    return undefined;
  }
}

function isDraft(found: unknown): found is BotDraft {
  const { text, opened, base, at, by, sent = [] } = (found ?? {}) as Partial<BotDraft>;
  const isVersion = (version: unknown): boolean => Number.isInteger(version);
  const isTime = typeof at === 'string' && !Number.isNaN(Date.parse(at));
  const hasWriter = by === undefined || [by?.id, by?.name].every((one) => typeof one === 'string');
  const isText = typeof text === 'string' && Array.isArray(sent);
  return isText && isVersion(opened) && isVersion(base) && isTime && hasWriter;
}

/** Keeps a text until it is published or discarded. Returns whether the browser had room for it. */
export function keepDraft(workspaceId: string, botId: string, draft: Omit<BotDraft, 'at' | 'by'>): boolean {
  const key = keyOf(workspaceId, botId);
  const kept: BotDraft = { ...draft, at: new Date().toISOString(), by: writer() };
  const stored = JSON.stringify(kept);
  try {
    localStorage.setItem(key, stored);
    own.set(key, stored);
    return true;
  } catch {
    return false;
  }
}

/** Forgets the text that this tab has kept of a bot. The text of another tab stays. */
export function forgetDraft(workspaceId: string, botId: string): void {
  const key = keyOf(workspaceId, botId);
  const stored = browserValues.getItem(key);
  if (stored === own.get(key)) browserValues.removeItem(key);
  else if (stored !== null) others.set(key, stored);
}

/** Calls `onChange` when another tab has kept or forgotten a text of a bot. Returns what ends that. */
export function watchDraft(
  workspaceId: string,
  botId: string,
  onChange: (kept: 'own' | 'other' | 'none') => void,
): () => void {
  const key = keyOf(workspaceId, botId);
  const onStorage = (event: StorageEvent): void => {
    // Without a key, all has been removed.
    if (event.key !== null && event.key !== key) return;
    const stored = browserValues.getItem(key);
    if (stored === null) onChange('none');
    else onChange(stored === own.get(key) ? 'own' : 'other');
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}
