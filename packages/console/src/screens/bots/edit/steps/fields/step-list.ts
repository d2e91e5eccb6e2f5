import { definitionIn } from '../../draft/begin.ts';

/** What the view of steps shows of a text. Equal steps, and members of steps, are the same objects as before. */
export interface StepList {
  definition: Record<string, unknown>;
  steps: readonly Record<string, unknown>[];
}

interface ReadList extends StepList {
  /** The steps by their JSON. */
  known: ReadonlyMap<string, Record<string, unknown>>;
}

/** Returns undefined for a text that has no list of steps. */
export function readSteps(text: string, before?: ReadList): ReadList | undefined {
  const definition = definitionIn(text);
  const given = definition?.['steps'];
  if (!definition || !Array.isArray(given)) return undefined;
  const byId = new Map(before?.steps.map((step) => [step['id'], step]));
  const read = given.map((value: unknown): [string, Record<string, unknown>] => {
    const written = JSON.stringify(value);
    const step = objectOf(value);
    return [written, before?.known.get(written) ?? withSame(step, byId.get(step['id']))];
  });
  return { definition, steps: read.map(([, step]) => step), known: new Map(read) };
}

/** Returns a step whose members that say the same as before are the same objects. */
function withSame(step: Record<string, unknown>, before: Record<string, unknown> = {}) {
  const isSame = (name: string): boolean => JSON.stringify(step[name]) === JSON.stringify(before[name]);
  const members = Object.entries(step).map(([name, value]) => [name, isSame(name) ? before[name] : value]);
  return Object.fromEntries(members) as Record<string, unknown>;
}

function objectOf(step: unknown): Record<string, unknown> {
  return typeof step === 'object' && step !== null ? (step as Record<string, unknown>) : {};
}

/** Returns what a definition has beside its steps. */
export function withoutSteps({ steps: _steps, ...bot }: Record<string, unknown>): Record<string, unknown> {
  return bot;
}

/** Returns a key for each step: its id, and which of the steps with that id it is. */
export function keysOf(steps: readonly Record<string, unknown>[]): string[] {
  const seen = new Map<string, number>();
  return steps.map(({ id }) => {
    const name = typeof id === 'string' ? id : '';
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return `${name} ${before}`;
  });
}

/** Returns the locale of a definition. */
export function localeOf({ locale }: Record<string, unknown>): string {
  return typeof locale === 'string' ? locale : 'en';
}

/** A text in one language, and where it is in the text of the step. */
export interface Wording {
  text: string;
  /** The tag, if the text has several languages. */
  tag: string | undefined;
  others: string[];
}

/** Returns a text in the language of the bot. */
export function wordingOf(value: unknown, locale: string): Wording {
  if (typeof value !== 'object' || value === null)
    return { text: typeof value === 'string' ? value : '', tag: undefined, others: [] };
  const tags = Object.keys(value);
  const tag = tags.find((one) => one.toLowerCase() === locale.toLowerCase()) ?? locale;
  const text: unknown = (value as Record<string, unknown>)[tag];
  return { text: typeof text === 'string' ? text : '', tag, others: tags.filter((one) => one !== tag) };
}

/** Returns a member that is a text, else nothing. */
export function textIn(members: Record<string, unknown>, name: string): string {
  const value = members[name];
  return typeof value === 'string' ? value : '';
}
