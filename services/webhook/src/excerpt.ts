/** How much of an answer is kept. */
export const excerptBytesMax = 16 * 1024;
const removed = '[removed]';
/** What is shorter would be found in all kinds of words. */
const secretLengthMin = 6;

/**
 * An excerpt of an answer without what was secret in the request: receivers echo what they were sent, and whoever reads
 * the log need not know how they are reached. Found as it is, percent-encoded (RFC 3986, or as a form), and as JSON escapes
 * it; where the answer was cut off, also what is the beginning of one.
 */
export function withoutSecrets(excerpt: Buffer, secrets: readonly string[]): Buffer {
  const sought = secrets.filter((secret) => secret.length >= secretLengthMin);
  // Most answers are an "ok".
  if (!sought.some((secret) => secret.length <= excerpt.length)) return excerpt;
  // One character a byte: what is no UTF-8 stays as it is.
  const text = excerpt.toString('latin1');
  const forms = sought.flatMap(formsOf);
  // The longest first: one may be a part of another.
  forms.sort((one, other) => other.length - one.length);
  const any = forms.map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  const whole = text.replaceAll(new RegExp(any, 'g'), removed);
  const cleaned = excerpt.length < excerptBytesMax ? whole : withoutBegun(whole, forms);
  return cleaned === text ? excerpt : Buffer.from(cleaned, 'latin1');
}

function withoutBegun(text: string, forms: readonly string[]): string {
  let begunLength = 0;
  for (const form of forms) {
    for (let length = form.length - 1; length >= secretLengthMin && length > begunLength; length -= 1) {
      if (text.endsWith(form.slice(0, length))) begunLength = length;
    }
  }
  return begunLength === 0 ? text : text.slice(0, -begunLength) + removed;
}

function formsOf(secret: string): string[] {
  const percentEncoded = encodeURIComponent(secret);
  const forms = [
    secret,
    percentEncoded,
    // As URLs have it (WHATWG, special query).
    percentEncoded.replaceAll("'", '%27'),
    percentEncoded.replaceAll('%20', '+'),
    percentEncoded.replaceAll(/%../g, (code) => code.toLowerCase()),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
  ];
  return [...new Set(forms)].map((form) => Buffer.from(form).toString('latin1'));
}
