import type { BotDefinition } from './format.ts';

/**
 * Returns the JSON of a valid definition with sorted names and without `$schema`. Its SHA-256 (hex) is the digest of
 * a version.
 */
export function canonicalText(definition: BotDefinition): string {
  const { $schema: _, ...content } = definition;
  return JSON.stringify(content, sortKeys);
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
