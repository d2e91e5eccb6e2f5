import { crc32 } from 'node:zlib';

const secretForm = /^prl_sec_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns whether the text has the form of an API key: `prl_key_` and 22 base62 digits. The key need not exist. */
export function isApiKey(text: string): boolean {
  return /^prl_key_[0-9A-Za-z]{22}$/.test(text);
}

/** Returns whether the text has the form of an API secret: `prl_sec_`, 43 base62 digits and 6 of their CRC-32. */
export function isApiSecret(text: string): boolean {
  const [, secret, checksum] = secretForm.exec(text) ?? [];
  if (secret === undefined || checksum === undefined) return false;
  const value = [...checksum].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
  return value === crc32(secret);
}
