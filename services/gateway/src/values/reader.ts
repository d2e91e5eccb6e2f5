import { hidden } from '@parley/contracts/hidden';
import type { Scope } from '@parley/contracts/scopes';
import { missingScope } from '@parley/runtime/errors';

/** The scope of callers that see personal data. */
export const personalDataScope: Scope = 'personal-data:read';

/** The scope of callers that hand links to customers. */
const linkScope: Scope = 'interactions:write';

/** What the schemas say about values that can be hidden. */
export const hiddenWithout = `\`${hidden}\` without the scope \`${personalDataScope}\``;

/** What a caller may see. Each presenter of personal data takes one. */
export interface Reader {
  readonly seesPersonalData: boolean;
  /** Whether it sees the links of interactions: programs that create them hand them to customers. */
  readonly seesLinks: boolean;
}

/** Returns what a caller with these scopes may see. */
export function readerWith(hasScope: (scope: Scope) => boolean): Reader {
  const seesPersonalData = hasScope(personalDataScope);
  return { seesPersonalData, seesLinks: seesPersonalData || hasScope(linkScope) };
}

/** Returns a personal text, or `[hidden]`. Empty texts are hidden too: that there is none is personal as well. */
export function personalText(text: string, { seesPersonalData }: Reader): string {
  return seesPersonalData ? text : hidden;
}

/** Throws 403 if the caller does not see personal data. `pointer` names what would reveal it. */
export function requirePersonalData({ seesPersonalData }: Reader, pointer: string): void {
  if (!seesPersonalData) throw missingScope([{ pointer, detail: personalDataScope }]);
}
