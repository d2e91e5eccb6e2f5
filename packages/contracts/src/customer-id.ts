import { customerIdCharactersMax, isLonger } from './limits.ts';

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
