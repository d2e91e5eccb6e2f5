import { hash } from 'node:crypto';

/** A row that an answer shows: the path that leads to it, in its one spelling, and its version. */
export interface ShownRow {
  path: string;
  version: number;
}

/**
 * A strong entity tag (RFC 9110, 8.8.3): a hash of the content; where that is one row, `"<version>.<hash><mark>"`, by
 * whose mark the tag is known again as one that this row was shown under at that version.
 */
export function entityTag(content: string | Buffer, row?: ShownRow): string {
  const digest = digestOf(content);
  if (row === undefined) return `"${digest}"`;
  const shown = digest.slice(0, -markCharsCount);
  return `"${row.version}.${shown}${markOf(row, shown)}"`;
}

const digestCharsCount = 22;
const markCharsCount = 6;

function digestOf(content: string | Buffer): string {
  return hash('sha256', content, 'base64url').slice(0, digestCharsCount);
}

// The content itself cannot be hashed again where a change is asked for: another service would have to be read for it.
function markOf({ path, version }: ShownRow, shown: string): string {
  return digestOf(`${path} ${version} ${shown}`).slice(0, markCharsCount);
}

const listed = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/** Whether the client holds this content already (If-None-Match, compared weakly as RFC 9110 13.1.2 says). */
export function isHeld(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return Array.from(ifNoneMatch.matchAll(listed)).some(([, , opaque]) => `"${opaque}"` === tag);
}

/** Whether the client wants this content (If-Match, compared strongly as RFC 9110 13.1.1 says). */
export function isWanted(ifMatch: string | undefined, tag: string): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true;
  return Array.from(ifMatch.matchAll(listed)).some(
    ([, weak, opaque]) => weak === undefined && `"${opaque}"` === tag,
  );
}

/** Whether calls of this method may be bound to a state of what they are about. */
export function takesConditions(method: string): boolean {
  return method !== 'POST';
}

/** Whether calls of this method change or remove one row, whose version then counts, and not all that is shown with it. */
export function changesRow(method: string): boolean {
  return method === 'PATCH' || method === 'DELETE';
}

/** Whether a header field is `*` or a list of entity tags; a tag has double quotes. */
export function isTagList(text: string): boolean {
  const rest = text.replaceAll(listed, '');
  return text.trim() === '*' || (rest.length < text.length && /^[\s,]*$/.test(rest));
}

/** A version that no row has. */
const noVersion = -1;

/**
 * The version of the row at the path that a change is bound to by If-Match; undefined when any will do. Of several tags
 * the highest version counts: versions only rise, so no other can be current. What is not a strong tag of ours, or one of
 * another row, never matches (RFC 9110, 13.1.1).
 */
export function versionToMatch(ifMatch: string | undefined, path: string): number | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const strong = versionsIn(ifMatch, path).filter(({ isWeak }) => !isWeak);
  return Math.max(noVersion, ...strong.map(({ version }) => version));
}

/** Whether If-None-Match names the row as it is, under whichever tag it was shown at that version (RFC 9110, 13.1.2). */
export function namesRow(ifNoneMatch: string, { path, version }: ShownRow): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return versionsIn(ifNoneMatch, path).some((named) => named.version === version);
}

/** The versions that the row at the path was shown at under tags of the list. */
function versionsIn(tags: string, path: string): { version: number; isWeak: boolean }[] {
  return Array.from(tags.matchAll(listed)).flatMap(([, weak, opaque = '']) => {
    const [, digits, shown = '', mark] = /^(\d{1,10})\.([\w-]{16})([\w-]{6})$/.exec(opaque) ?? [];
    const version = Number(digits);
    const isOurs = mark === markOf({ path, version }, shown) && version <= 2_147_483_647;
    return isOurs ? [{ version, isWeak: weak !== undefined }] : [];
  });
}
