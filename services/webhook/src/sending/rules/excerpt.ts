/** How many bytes of an answer are stored: enough for an error message, for each attempt of 30 days. */
export const excerptBytesMax = 16 * 1024;
/** Shorter secrets, and shorter beginnings of secrets, occur in ordinary words. */
const lengthMin = 6;
/** A byte with the incomplete escape that may follow it at the end of a text. */
const encodedByte = /(?:%[\da-f]{2}|[^])(?:%[\da-f]?$)?/gi;

/**
 * Returns an excerpt with `[removed]` in place of each secret: plain, percent-encoded or in Base64.
 * If `isCut`, the answer is incomplete, and the beginning of a secret at its end is removed too.
 */
export function withoutSecrets(excerpt: Buffer, secrets: readonly string[], isCut: boolean): Buffer {
  if (excerpt.length < lengthMin) return excerpt;
  const forms = [...new Set(secrets.filter(({ length }) => length >= lengthMin).flatMap(formsOf))];
  const cleaned = hide(excerpt.toString('latin1'), encodedByte, forms, isCut);
  // Decoding changes a plain secret that contains an escape, or whose first digits look like the rest of one.
  const text = cleaned.includes('%') ? hide(cleaned, /[^]/g, forms, isCut) : cleaned;
  return Buffer.from(text.replaceAll(/\uffff+/g, '[removed]'), 'latin1');
}

/** Returns a secret's bytes and its Base64 (RFC 4648), alone and at the three alignments in a longer text. */
function formsOf(secret: string): string[] {
  const alone = Buffer.from(secret).toString('base64').replace(/=+$/, '');
  const embedded = [0, 1, 2].map((offset) => {
    const base64 = Buffer.from('\0'.repeat(offset) + secret).toString('base64');
    // Without the characters that also encode bits of neighbouring bytes.
    return base64.slice(offset && offset + 1).replace(/.=+$/, '');
  });
  const base64 = [alone, ...embedded];
  const urlSafe = base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  return [Buffer.from(secret).toString('latin1'), ...base64, ...urlSafe];
}

/** Replaces each form, and if `isCut` the beginning of one at the end, with U+FFFF, which is not in latin1. */
function hide(text: string, unit: RegExp, forms: readonly string[], isCut: boolean): string {
  const units: string[] = text.match(unit) ?? [];
  const bytes = units.map(byteOf).join('');
  for (const form of forms) {
    const { length } = form;
    let at = bytes.indexOf(form);
    for (; at >= 0; at = bytes.indexOf(form, at + length)) units.fill('\uffff', at, at + length);
    const head = form.slice(0, lengthMin);
    at = isCut ? bytes.indexOf(head, bytes.length - length + 1) : -1;
    for (; at >= 0; at = bytes.indexOf(head, at + 1)) {
      if (form.startsWith(bytes.slice(at))) units.fill('\uffff', at);
    }
  }
  return units.join('');
}

function byteOf(unit: string): string {
  return /^%[\da-f]{2}/i.test(unit)
    ? String.fromCharCode(Number.parseInt(unit.slice(1, 3), 16))
    : unit.charAt(0);
}
