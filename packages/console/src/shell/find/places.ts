/** The kinds of what can be opened, in the order of the list. */
export const groups = [
  'screens',
  'actions',
  'bots',
  'links',
  'webhooks',
  'keys',
  'members',
  'customers',
  'interactions',
] as const;

/** What can be opened by its name. */
export interface Place {
  /** Unique. */
  id: string;
  group: (typeof groups)[number];
  name: string;
  /** What else it is known by. */
  about?: string | undefined;
  open(): void;
}

const perGroupMax = 6;

/**
 * Returns the places that a text names: each of its words begins a word of the place. Those whose names begin with the
 * text are first in their group. Without a text, all screens and actions.
 */
export function placesNamed(text: string, places: readonly Place[]): Place[] {
  const wanted = wordsIn(text);
  if (wanted.length === 0) return text.trim() === '' ? inGroups(places.filter(isFixed)) : [];
  const found = places.filter(({ name, about = '' }) => {
    const words = wordsIn(`${name} ${about}`);
    return wanted.every((one) => words.some((word) => word.startsWith(one)));
  });
  const begins = ({ name }: Place): boolean => wordsIn(name).join(' ').startsWith(wanted.join(' '));
  const ordered = [...found.filter(begins), ...found.filter((one) => !begins(one))];
  return groups.flatMap((group) => ordered.filter((one) => one.group === group).slice(0, perGroupMax));
}

/** Returns the id of an interaction: the whole text, or in the address of its screen. */
export function interactionIdIn(text: string): string | undefined {
  return /^(?:.*\/interactions\/)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(
    text.trim().toLowerCase(),
  )?.[1];
}

function isFixed({ group }: Place): boolean {
  return group === 'screens' || group === 'actions';
}

function inGroups(places: readonly Place[]): Place[] {
  return groups.flatMap((group) => places.filter((one) => one.group === group));
}

/** Returns the words without capitals and accents. */
function wordsIn(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}
