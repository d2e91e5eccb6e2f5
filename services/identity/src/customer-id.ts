import { customerIdCharactersMax } from '@parley/contracts/limits';

/**
 * Whether the text can be a customer's id (contract, section 2): 1 to 255 code points of well-formed Unicode without
 * control characters, and neither `.` nor `..`.
 */
export function isCustomerId(text: string): boolean {
  if (text === '' || text === '.' || text === '..' || text.length > 2 * customerIdCharactersMax) return false;
  return text.isWellFormed() && !/\p{Cc}/u.test(text) && Array.from(text).length <= customerIdCharactersMax;
}
