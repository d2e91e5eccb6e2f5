/** Whether the text has the form of an API key: `prl_key_` and 22 base62 digits. Says nothing of whether there is one. */
export function isApiKey(text: string): boolean {
  return /^prl_key_[0-9A-Za-z]{22}$/.test(text);
}
