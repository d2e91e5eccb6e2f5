const digit = /\p{Nd}/u;

/** Returns the text with the digits of every script written as 0 to 9. */
export function foldDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (found) => String(valueOf(found.codePointAt(0) ?? 0)));
}

/** Returns whether the text is blank: only spaces, joiners, fillers and the like. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u.test(text);
}

// Digits are in runs of ten, from 0 (Unicode, section 4.6).
function valueOf(codePoint: number): number {
  let before = 0;
  while (digit.test(String.fromCodePoint(codePoint - before - 1))) before += 1;
  return before % 10;
}
