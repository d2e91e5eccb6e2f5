/** Returns a key of a bot for its name. */
export function keyOf(name: string): string {
  // In capitals, ß is SS.
  const plain = name.toUpperCase().normalize('NFKD').toLowerCase();
  return plain
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

export function starter(key: string, name: string, locale: string, question: string) {
  const steps = [
    { id: 'rating', kind: 'ask', text: question, input: { type: 'rating' }, evaluation: 'rating' },
    { id: 'bye', kind: 'end' },
  ];
  return { schemaVersion: 1, key, name, type: 'Feedback', locale, evaluation: { rating: {} }, steps };
}
