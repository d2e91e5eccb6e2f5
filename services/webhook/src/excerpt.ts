const removed = '[removed]';
/** What is shorter would be found in all kinds of words. */
const secretLengthMin = 6;

/**
 * An excerpt of an answer without what was secret in the request: receivers echo what they were sent, and whoever reads
 * the log need not know how they are reached. Found as it is, percent-encoded (RFC 3986), and as JSON escapes it.
 */
export function withoutSecrets(excerpt: Buffer, secrets: readonly string[]): Buffer {
  if (excerpt.length === 0) return excerpt;
  // One character a byte: what is no UTF-8 stays as it is.
  const text = excerpt.toString('latin1');
  const forms = secrets.filter((secret) => secret.length >= secretLengthMin).flatMap(formsOf);
  // The longest first: one may be a part of another.
  forms.sort((one, other) => other.length - one.length);
  const cleaned = forms.reduce((rest, form) => rest.replaceAll(form, removed), text);
  return cleaned === text ? excerpt : Buffer.from(cleaned, 'latin1');
}

function formsOf(secret: string): string[] {
  const percentEncoded = encodeURIComponent(secret);
  const forms = [
    secret,
    percentEncoded,
    percentEncoded.replaceAll('%20', '+'),
    percentEncoded.replaceAll(/%../g, (code) => code.toLowerCase()),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
  ];
  return [...new Set(forms)].map((form) => Buffer.from(form).toString('latin1'));
}
