import { customerIdCharactersMax, isLonger } from './limits.ts';

/** The beginning of the ids of customers of open links. 32 hexadecimal digits follow. */
export const anonymousPrefix = 'anonymous-';

/** The form of the ids of customers of open links, for JavaScript and for Postgres. */
export const anonymousForm = `^${anonymousPrefix}[0-9a-f]{32}$`;

const anonymousPattern = new RegExp(anonymousForm);

/** Returns whether a customer is of an open link. Ids that clients choose may begin as such ids do. */
export function isAnonymousId(id: string): boolean {
  return anonymousPattern.test(id);
}

/**
 * Returns the fault of a client's id of a customer, if there is one. An id has 1 to 255 code points of
 * well-formed Unicode, no control characters, and is neither `.` nor `..`.
 */
export function customerIdFault(text: string): string | undefined {
  if (text === '.' || text === '..') return 'Must not be . or ..';
  if (text === '' || isLonger(text, customerIdCharactersMax)) {
    return `Must have 1 to ${customerIdCharactersMax} characters`;
  }
  if (/\p{Cc}/u.test(text)) return 'Must not contain control characters';
  return text.isWellFormed() ? undefined : 'Must be well-formed Unicode';
}
