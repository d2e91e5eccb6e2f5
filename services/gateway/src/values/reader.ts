import { hidden } from '@parley/contracts/hidden';
import type { Scope } from '@parley/contracts/scopes';
import { missingScope } from '@parley/runtime/errors';
import type { Personal } from './personal.ts';

export const personalDataScope: Scope = 'personal-data:read';

/** The scope of callers that hand links to customers. A link lets its holder act as the customer. */
const linkScope: Scope = 'interactions:write';

export const hiddenWithout = `\`${hidden}\` without the scope \`${personalDataScope}\``;

export const linkHiddenWithout = `\`${hidden}\` without the scope \`${linkScope}\``;

/** What a caller may see. Nothing else opens the personal values of the services' answers. */
export interface Reader {
  readonly seesPersonalData: boolean;
  readonly seesLinks: boolean;
}

export function readerWith(hasScope: (scope: Scope) => boolean): Reader {
  return { seesPersonalData: hasScope(personalDataScope), seesLinks: hasScope(linkScope) };
}

/** Returns a text that differs between readers who see different answers. Empty for readers who see everything. */
export function viewOf({ seesPersonalData, seesLinks }: Reader): string {
  return `${seesPersonalData ? '' : personalDataScope}${seesLinks ? '' : linkScope}`;
}

/** The customer of a session, who sees the own conversation. */
export const ownConversation: Reader = { seesPersonalData: true, seesLinks: true };

/** Returns a personal value, or what `hide` leaves of it for a caller who does not see personal data. */
export function personalValue<Value>(
  sealed: Personal<Value>,
  { seesPersonalData }: Reader,
  hide: (value: Value) => Value,
): Value {
  const value = opened(sealed);
  return seesPersonalData ? value : hide(value);
}

/** Returns a personal text, or `[hidden]`. Empty texts are hidden too: that there is none is personal as well. */
export function personalText(text: Personal<string>, reader: Reader): string {
  return personalValue(text, reader, () => hidden);
}

/** Returns the end of a link of an interaction, or `[hidden]`. */
export function linkToken(token: Personal<string>, { seesLinks }: Reader): string {
  return seesLinks ? opened(token) : hidden;
}

// The only place that opens a personal value.
function opened<Value>(sealed: Personal<Value>): Value {
  return sealed as unknown as Value;
}

/** The token of a link in a text, also where its end is cut off, or JSON or a URL has escaped its slash. */
const tokens = /(?<=interactions(?:\\?\/|\\u002f|%(?:25)*2f))[0-9a-z]{20,}/gi;

/** Returns a text that somebody else has written, with `[hidden]` in place of the tokens of links in it. */
export function textWithLinks(text: string, { seesLinks }: Reader): string {
  return seesLinks ? text : text.replaceAll(tokens, hidden);
}

/** Throws 403 if a caller does not see any more what it has seen before. `pointer` names its credential. */
export function requireSeesAll(before: Reader, now: Reader, pointer: string): void {
  const lost = [
    ...(before.seesPersonalData && !now.seesPersonalData ? [personalDataScope] : []),
    ...(before.seesLinks && !now.seesLinks ? [linkScope] : []),
  ];
  if (lost.length > 0) throw missingScope(lost.map((detail) => ({ pointer, detail })));
}

/** Throws 403 if the caller does not see links of interactions. `pointer` names its credential. */
export function requireLinks({ seesLinks }: Reader, pointer: string): void {
  if (!seesLinks) throw missingScope([{ pointer, detail: linkScope }]);
}

/** Throws 403 if the caller does not see personal data. `pointer` names what would reveal it. */
export function requirePersonalData({ seesPersonalData }: Reader, pointer: string): void {
  if (!seesPersonalData) throw missingScope([{ pointer, detail: personalDataScope }]);
}
