/** Gives names that nothing else has. */
export type Namer = (wanted: string, otherwise: string) => string;

/** Letters that Unicode does not decompose, as they are usually written in ASCII. */
const written: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  þ: 'th',
};

/** Returns lower-case ASCII letters, digits and `_`; empty if the text has none. */
export function slugOf(text: string, charsMax: number): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[ßæœøłđıþ]/g, (letter) => written[letter] ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '');
  const slug = plain.replaceAll(/[^a-z0-9]+/g, '_').replaceAll(/^_+|_+$/g, '');
  if (slug.length <= charsMax) return slug;
  const cut = slug.slice(0, charsMax + 1);
  const words = cut.slice(0, Math.max(cut.lastIndexOf('_'), 0));
  return words === '' ? slug.slice(0, charsMax) : words;
}

/** The words of CEL that are no names. */
const reserved =
  'true false null in as break const continue else for function if import let loop package namespace return var void while';

/**
 * Returns a namer of names that begin with a letter, as ids of steps, context properties and evaluation keys.
 * `keepsNames`: also with capital letters, for values that other systems know by their name.
 */
export function namer({ keepsNames = false } = {}): Namer {
  const used = new Set(reserved.split(' '));
  return (wanted, otherwise) => {
    const isKept = keepsNames && /^[A-Za-z][A-Za-z0-9_]{0,60}$/.test(wanted);
    const slug = isKept ? wanted : slugOf(wanted.replaceAll(/\{\{[^{}]*\}\}/g, ' '), 32) || otherwise;
    const base = /^[a-z]/i.test(slug) ? slug : `${otherwise}_${slug}`;
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? base : `${base}_${number}`;
      if (used.has(name)) continue;
      used.add(name);
      return name;
    }
  };
}

/** Returns the key of a bot for its name. */
export function keyOf(name: string, otherwise: string): string {
  return slugOf(name, 64).replaceAll('_', '-') || otherwise;
}

/** Returns whether people have given this name, and no program: it is no UUID, ULID or CUID. */
export function isGiven(name: string): boolean {
  return /^[a-z][a-z0-9_-]{2,31}$/i.test(name) && !/^[0-9a-f]{8}-|^[a-z0-9]{20,}$/i.test(name);
}
