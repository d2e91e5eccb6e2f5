import { hash } from 'node:crypto';

const digestCharsCount = 22;

/**
 * Returns a strong entity tag (RFC 9110, 8.8.3): a hash of the content, after the row's version if it shows one row.
 */
export function entityTag(content: string | Buffer, version?: number): string {
  const digest = hash('sha256', content, 'base64url').slice(0, digestCharsCount);
  return version === undefined ? `"${digest}"` : `"${version}.${digest}"`;
}

const tags = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** Returns whether a header field is `*` or a list of entity tags. A tag has double quotes. */
export function isTagList(text: string): boolean {
  const rest = text.replaceAll(tags, '');
  return isAny(text) || (rest.length < text.length && /^[\s,]*$/.test(rest));
}

/** Returns whether If-None-Match lists the tag, by weak comparison (RFC 9110, 13.1.2). */
export function matchesIfNoneMatch(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return isAny(ifNoneMatch) || tagsIn(ifNoneMatch).some((listed) => listed === tag || listed === `W/${tag}`);
}

/** Returns whether If-Match is absent or lists the tag, by strong comparison (RFC 9110, 13.1.1). */
export function matchesIfMatch(ifMatch: string | undefined, tag: string): boolean {
  return ifMatch === undefined || isAny(ifMatch) || tagsIn(ifMatch).includes(tag);
}

/** A version that no row has. */
const noVersion = -1;

/**
 * Returns the row version that If-Match requires for a change; undefined if it allows any. Of several tags the highest
 * version counts: versions only rise, so no other can be current.
 */
export function versionToMatch(ifMatch: string | undefined): number | undefined {
  if (ifMatch === undefined || isAny(ifMatch)) return undefined;
  const versions = tagsIn(ifMatch).map((tag) => /^"(\d{1,9})\.[\w-]{22}"$/.exec(tag)?.[1] ?? noVersion);
  return Math.max(noVersion, ...versions.map(Number));
}

function isAny(list: string): boolean {
  return list.trim() === '*';
}

function tagsIn(list: string): string[] {
  return list.match(tags) ?? [];
}
