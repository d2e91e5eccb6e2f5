import { isBlank } from './characters.ts';

/** The longest body of an entry, and of an answer, in UTF-16 units: a conversation has room for many. */
export const bodyCharsMax = 4000;

/**
 * Returns the stored form of the text: well-formed, without control characters and characters that reorder the text
 * around them, trimmed, on one line unless `multiline`. Empty when no character is visible.
 */
export function cleanText(text: string, multiline: boolean): string {
  const lines = text.toWellFormed().replaceAll(/\r\n?/g, '\n');
  const printable = lines.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, '');
  if (isBlank(printable)) return '';
  return (multiline ? printable : printable.replaceAll(/\s+/g, onOneLine)).trim();
}

// Matches a whole run of blanks: a pattern with blanks on both sides of a break would take quadratic time.
function onOneLine(blanks: string): string {
  return /[\n\t]/.test(blanks) ? ' ' : blanks;
}
