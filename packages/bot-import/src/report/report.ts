import { type Detail, entryWords } from './words.ts';

/**
 * What became of a part of the file. `converted`: it is in the bot. `changed`: it is there, but not as it was.
 * `dropped`: it is not in the bot. `ignored`: it says nothing about the conversation, such as its place in an editor.
 */
export type Outcome = 'converted' | 'changed' | 'dropped' | 'ignored';

export type Entry = {
  outcome: Outcome;
  /** The place in the file, a JSON Pointer (RFC 6901). */
  pointer: string;
  /** The step that it became, or belongs to. */
  stepId?: string;
  detail: Detail;
  /** What the words of the detail name. */
  values: Record<string, string>;
};

/** A part of the file. */
type Part = { value: unknown; pointer: string };

export type Report = {
  entries: Entry[];
  converted(source: Part, detail: Detail, values?: Entry['values'], stepId?: string): void;
  changed(source: Part, detail: Detail, values?: Entry['values'], stepId?: string): void;
  dropped(source: Part, detail: Detail, values?: Entry['values'], stepId?: string): void;
  /** Says of an entry for a text that it is the text of a question. */
  becomesQuestion(entry: Entry, stepId: string): void;
  /** Skips values that are empty. */
  ignored(sources: Part[]): void;
  /** Skips values that are empty. */
  unsupported(sources: Part[], detail: Detail, stepId?: string): void;
  /** Returns the places of which the report says all: nothing in them is reported as unread. */
  places(): string[];
};

const textCharsMax = 60;

export function newReport(isEmpty: (value: unknown) => boolean): Report {
  const entries: Entry[] = [];
  const covered: string[] = [];
  const add = (
    outcome: Outcome,
    { pointer }: Part,
    detail: Detail,
    values: Entry['values'] = {},
    stepId?: string,
  ) => {
    const short = Object.entries(values).map(([name, value]) => [name, shown(value)]);
    const entry = { outcome, pointer, detail, values: Object.fromEntries(short) };
    entries.push(stepId === undefined ? entry : { ...entry, stepId });
  };
  return {
    entries,
    converted: (...given) => add('converted', ...given),
    changed: (...given) => add('changed', ...given),
    dropped: (...given) => {
      covered.push(given[0].pointer);
      add('dropped', ...given);
    },
    becomesQuestion: (entry, stepId) => {
      const question: Detail = 'asked';
      Object.assign(entry, { detail: question, stepId });
    },
    ignored: (sources) => {
      for (const source of sources) {
        if (isEmpty(source.value)) continue;
        covered.push(source.pointer);
        add('ignored', source, 'ignored', { name: nameOf(source) });
      }
    },
    unsupported: (sources, detail, stepId) => {
      for (const source of sources) {
        if (isEmpty(source.value)) continue;
        covered.push(source.pointer);
        // An option that is off needs nothing.
        if (source.value === false) add('ignored', source, 'ignored', { name: nameOf(source) });
        else add('dropped', source, detail, { name: nameOf(source) }, stepId);
      }
    },
    places: () => covered,
  };
}

function nameOf({ pointer }: Part): string {
  return (pointer.split('/').at(-1) ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
}

function shown(value: string): string {
  const line = value.replaceAll(/\s+/g, ' ').trim();
  return line.length > textCharsMax ? `${line.slice(0, textCharsMax - 1).toWellFormed()}…` : line;
}

/** Returns how many parts of the file have each outcome. */
export function countsOf(entries: readonly Entry[]): Record<Outcome, number> {
  const counts = { converted: 0, changed: 0, dropped: 0, ignored: 0 };
  for (const { outcome } of entries) counts[outcome] += 1;
  return counts;
}

/** Details that say nothing of what is asked, and where it leads. */
const minor = new Set<Detail>([
  'button',
  'look',
  'media',
  'option',
  'placeholder',
  'setting',
  'scale-label',
  'formatting',
]);

/** Entries with the same outcome and the same words, in the order of the file. */
export type EntryGroup = { outcome: Outcome; words: string; entries: Entry[] };

/**
 * Returns the entries that have one of the outcomes, in the words of a language. What customers miss most comes first.
 */
export function groupsOf(
  entries: readonly Entry[],
  outcomes: readonly Outcome[],
  language: 'en' | 'de',
): EntryGroup[] {
  const rankOf = ({ outcome, detail }: Entry): number =>
    (minor.has(detail) ? 2 : 0) + (outcome === 'changed' ? 1 : 0);
  const groups = new Map<string, EntryGroup>();
  const wanted = entries.filter(({ outcome }) => outcomes.includes(outcome));
  for (const entry of wanted.toSorted((left, right) => rankOf(left) - rankOf(right))) {
    const { outcome } = entry;
    const words = entryWords(entry, language);
    const group = groups.get(`${outcome} ${words}`) ?? { outcome, words, entries: [] };
    group.entries.push(entry);
    groups.set(`${outcome} ${words}`, group);
  }
  return [...groups.values()];
}
