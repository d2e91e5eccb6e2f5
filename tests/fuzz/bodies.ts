import fc from 'fast-check';
import type { JsonSchema, Surface } from './document.ts';
import { type Known, mostly, oddTexts, valuesOf } from './values.ts';

/** Bodies of a schema: most are valid, some have invalid values, and some are no JSON, or absent. */
export function bodies(surface: Surface, schema: JsonSchema, known: Known): fc.Arbitrary<Buffer | undefined> {
  const json = valuesOf(schema, surface, known, 'body').map(
    (value) => JSON.stringify(tamed(value)) ?? 'null',
  );
  const bent = fc.tuple(json, fc.nat(10_000), fc.nat(twists.length - 1)).map(([text, at, twist]) => {
    const place = at % (text.length + 1);
    return Buffer.from(twists[twist]?.(text, place) ?? text);
  });
  return mostly<Buffer | undefined>(
    mostly(
      json.map((text) => Buffer.from(text)),
      bent,
      8,
    ),
    fc.constant(undefined),
  );
}

// Deliveries go to no real host, and to few webhooks.
function tamed(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const { url, ...others } = value as Record<string, unknown>;
  if (typeof url !== 'string' || !URL.canParse(url)) return value;
  const { protocol, pathname, search } = new URL(url);
  return {
    ...others,
    url: /^https?:$/.test(protocol) ? `${protocol}//127.0.0.1:9${pathname}${search}` : url,
  };
}

const deep = (levels: number, text: string): string => `${'['.repeat(levels)}${text}${']'.repeat(levels)}`;
const bytes = (text: string, place: number, ...inserted: number[]): Buffer =>
  Buffer.concat([Buffer.from(text.slice(0, place)), Buffer.from(inserted), Buffer.from(text.slice(place))]);

/** Faults of JSON as text. */
const twists: readonly ((text: string, place: number) => string | Buffer)[] = [
  (text, place) => text.slice(0, place),
  (text, place) => text.slice(0, place) + text.slice(place + 1),
  (text, place) => text.slice(0, place) + oddTexts[place % oddTexts.length] + text.slice(place),
  (text, place) => bytes(text, place, 0),
  (text, place) => bytes(text, place, 0xff),
  (text, place) => bytes(text, place, 0xc0, 0xaf),
  (text, place) => bytes(text, place, 0xed, 0xa0, 0x80),
  (text, place) => `${text.slice(0, place)}\\ud800${text.slice(place)}`,
  (text) => `\ufeff${text}`,
  (text) => text + text,
  (text) => `${text.slice(0, -1)},}`,
  // A repeated field.
  (text) => text.replace(/^\{("[^"]+":)/, '{$1null,$1'),
  (text) => text.replace(/^\{/, '{"__proto__":{"x":1},'),
  (text) => text.replace(/:(?:"[^"]*"|-?\d+)/, ':1e400'),
  (text) => text.replace(/:(?:"[^"]*"|-?\d+)/, ':-123456789012345678901234567890'),
  (text) => text.replace(/:(?:"[^"]*"|-?\d+)/, `:${deep(63, '')}`),
  (text) => text.replace(/:(?:"[^"]*"|-?\d+)/, `:${deep(5_000, '')}`),
  (text) => deep(100_000, text),
  (text) => '{"a":'.repeat(30_000) + text,
  (text) => text + ' '.repeat(256 * 1024),
  (text) => text + ' '.repeat(2 * 1024 * 1024),
  (text) => `{${Array.from({ length: 8_000 }, (_, index) => `"${index}":${text.length}`).join()}}`,
  (text) => text.replace(/"([^"]{0,3})/, String.raw`"\u0000$1`),
  () => '',
  () => ' '.repeat(10),
];
