/** Returns whether the text has the form of an API key: `prl_key_` and 22 base62 digits. The key need not exist. */
export function isApiKey(text: string): boolean {
  return /^prl_key_[0-9A-Za-z]{22}$/.test(text);
}
