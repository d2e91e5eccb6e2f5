/** Returns the texts that contain a word in any letter case: plain, escaped as JSON, in base64 or in hex. */
export function findWords(texts: readonly string[], words: readonly string[]): string[] {
  const exact = words.flatMap(base64Forms);
  const anyCase = words.flatMap((word) => {
    const escaped = JSON.stringify(word).slice(1, -1);
    const ascii = escaped.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${hexOf(unit)}`);
    const hex = Buffer.from(word).toString('hex');
    return [word, escaped, JSON.stringify(escaped).slice(1, -1), ascii, hex].map((form) =>
      form.toLowerCase(),
    );
  });
  return texts.filter((text) => {
    const lower = text.toLowerCase();
    return exact.some((form) => text.includes(form)) || anyCase.some((form) => lower.includes(form));
  });
}

/** Returns the base64 of a word for each of its offsets within three bytes. */
function base64Forms(word: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(word)]);
    const whole = bytes.subarray(before && 3, bytes.length - (bytes.length % 3)).toString('base64');
    // Shorter forms occur by chance.
    return whole.length < 6 ? [] : [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function hexOf(unit: string): string {
  return unit.charCodeAt(0).toString(16).padStart(4, '0');
}
