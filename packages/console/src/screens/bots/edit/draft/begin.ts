import { sourceMark } from '@parley/bot/translations/places';
import { isJsonObject } from '@parley/runtime/json/json-object';
import { readJson } from '@parley/runtime/json/json';
import { definitionText } from '../definition.ts';
import type { BotDraft } from './draft.ts';

/** The draft of a bot as the service has it. */
export interface ServerDraft {
  definition: Record<string, unknown>;
  /** Its ETag. */
  tag: string;
  base: number;
  at: string;
  /** The id of its author. */
  by: string;
}

/** What an editor begins with. */
export interface Beginning {
  /** Undefined: the text of the version. */
  draft: BotDraft | undefined;
  /** The ETag of the draft that the text follows. */
  tag: string | undefined;
  isSaved: boolean;
  /** A draft that somebody else has saved while this browser kept another text. */
  theirs: ServerDraft | undefined;
}

/**
 * Returns what an editor begins with: what this browser has kept and the service has not, or else the draft of the
 * service. A text that was saved, and whose draft is gone, was published or discarded.
 */
export function beginningOf(kept: BotDraft | undefined, saved: ServerDraft | undefined): Beginning {
  const unsaved = kept?.isSaved ? undefined : kept;
  if (!saved) return { draft: unsaved, tag: undefined, isSaved: false, theirs: undefined };
  const { definition, base, at, by, tag } = saved;
  const isSame = kept !== undefined && sameJson(definitionIn(kept.text), definition);
  // What was typed while this draft was being saved goes on from it.
  const isOwn = kept?.sent !== undefined && isOwnSave(saved, { by: kept.by?.id, sent: kept.sent });
  if (kept && (isSame || isOwn || kept.tag === tag)) {
    const isSaved = isSame || (kept.tag === tag && kept.isSaved === true);
    return { draft: kept, tag, isSaved, theirs: undefined };
  }
  if (unsaved) return { draft: unsaved, tag: undefined, isSaved: false, theirs: saved };
  const text = definitionText(definition);
  const draft = { text, opened: base, base, at, by: { id: by, name: by }, tag, isSaved: true };
  return { draft, tag, isSaved: true, theirs: undefined };
}

/** Returns whether a draft is a text that a person has sent, maybe without an answer. */
export function isOwnSave(
  { by, definition }: ServerDraft,
  own: { by: string | undefined; sent: readonly string[] },
): boolean {
  return by === own.by && own.sent.includes(markOf(definition));
}

/** Returns a mark of a definition, by which a text that was sent is known again. */
export function markOf(definition: unknown): string {
  return sourceMark(JSON.stringify(definition));
}

export function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the object of a text; undefined if it is none, or has a name twice: a draft cannot be that. */
export function definitionIn(text: string): Record<string, unknown> | undefined {
  try {
    const { value, repeated } = readJson(text, { repeatedMax: 1 });
    return isJsonObject(value) && repeated.length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}
