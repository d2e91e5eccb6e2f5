/** What the API returns in place of personal data that the caller may not see. */
export const hiddenMark = '[hidden]';

export function isHidden(text: string): boolean {
  return text === hiddenMark;
}

export function hasHidden(text: string): boolean {
  return text.includes(hiddenMark);
}
