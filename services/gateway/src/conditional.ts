import { hash } from 'node:crypto';

/**
 * A strong entity tag (RFC 9110, 8.8.3): `"<row version>.<hash of the content>"`, or the hash alone for what is no
 * single row.
 */
export function entityTag(version: number | undefined, content: string | Buffer): string {
  const digest = hash('sha256', content, 'base64url').slice(0, 22);
  return version === undefined ? `"${digest}"` : `"${version}.${digest}"`;
}

const listed = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/** Whether the client holds this content already (If-None-Match, compared weakly as RFC 9110 13.1.2 says). */
export function isHeld(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return Array.from(ifNoneMatch.matchAll(listed)).some(([, , opaque]) => `"${opaque}"` === tag);
}

/** Whether calls of this method may be bound to a version by If-Match: those that change or remove one row. */
export function takesIfMatch(method: string): boolean {
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
 * The row version that a change is bound to by If-Match; undefined when any will do. Of several tags the highest
 * version counts: versions only rise, so no other can be current. What is not a strong tag of ours never matches.
 */
export function versionToMatch(ifMatch: string | undefined): number | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const versions = Array.from(ifMatch.matchAll(listed)).map(([, weak, opaque = '']) => {
    const version = weak ? undefined : /^(\d{1,10})\.[\w-]{22}$/.exec(opaque)?.[1];
    return version === undefined || Number(version) > 2_147_483_647 ? noVersion : Number(version);
  });
  return Math.max(noVersion, ...versions);
}
