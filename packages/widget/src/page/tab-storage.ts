import { toJson } from '@parley/client/public';
import { epochMs } from './epoch-ms.ts';

/** Data of a tab that survives a page: the open panel, and snoozed interactions. */
export interface TabStorage {
  opened(): string | undefined;
  setOpened(interactionId: string | undefined): void;
  /** Whether the customer has closed the interaction less than a day ago. */
  isSnoozed(interactionId: string): boolean;
  snooze(interactionId: string): void;
  /** Removes other interactions. */
  retain(interactionId: string): void;
  forget(): void;
}

interface Content {
  open?: string | undefined;
  /** Until when, in epoch milliseconds, by interaction. */
  snooze: Record<string, number>;
}

const snoozeMs = 24 * 60 * 60 * 1_000;

/** Uses `sessionStorage`, or memory if the browser refuses that. */
export function openTabStorage(workspaceId: string): TabStorage {
  const name = `parley:${workspaceId}`;
  let content = read(name);
  const write = (): void => {
    try {
      sessionStorage.setItem(name, toJson(content));
    } catch {
      // Kept in memory, as long as the page.
    }
  };
  return {
    opened: () => content.open,
    setOpened: (interactionId) => {
      content.open = interactionId;
      write();
    },
    isSnoozed: (interactionId) => (content.snooze[interactionId] ?? 0) > epochMs(),
    snooze: (interactionId) => {
      const now = epochMs();
      const others = Object.entries(content.snooze).filter(([, until]) => until > now);
      content.snooze = Object.fromEntries([...others, [interactionId, now + snoozeMs]]);
      write();
    },
    retain: (interactionId) => {
      const { open, snooze } = content;
      const own = Object.entries(snooze).filter(([id]) => id === interactionId);
      const isForeign = own.length < Object.keys(snooze).length || (open ?? interactionId) !== interactionId;
      if (!isForeign) return;
      content = { open: open === interactionId ? open : undefined, snooze: Object.fromEntries(own) };
      write();
    },
    forget: () => {
      content = { snooze: {} };
      try {
        sessionStorage.removeItem(name);
      } catch {
        // Nothing was stored.
      }
    },
  };
}

function read(name: string): Content {
  try {
    const { open, snooze } = JSON.parse(sessionStorage.getItem(name) ?? '{}') as Partial<Content>;
    return { open, snooze: { ...snooze } };
  } catch {
    return { snooze: {} };
  }
}
