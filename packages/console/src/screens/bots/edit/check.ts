// First, because the other modules create schemas.
import '../../../no-evaluation.ts';
import { validateInSlices } from '@parley/bot/definition';
import { runAtOnce, type Slices } from '@parley/bot/slices';
import { JsonError, locateJson, readJson, spanOf } from '@parley/runtime/json/json';

/** A fault or a warning, with its place in the text in UTF-16 units. */
export interface Mark {
  from: number;
  to: number;
  severity: 'error' | 'warning';
  message: string;
  /** Where it is in the definition, a JSON Pointer (RFC 6901). */
  pointer: string;
}

/** The definition of a text, if it is valid, and what is wrong with it, in the order of the text. */
export interface Checked {
  definition: Record<string, unknown> | undefined;
  marks: Mark[];
}

const repeatedMax = 20;

/** Checks a bot definition as the service does. `botKey` is the key of the bot, which stays. */
export function checkDefinition(text: string, botKey?: string): Checked {
  return runAtOnce(checkInSlices(text, botKey));
}

/** Checks as `checkDefinition` does, in slices of a few milliseconds. */
export function* checkInSlices(text: string, botKey?: string): Slices<Checked> {
  try {
    const { value, repeated } = readJson(text, { repeatedMax });
    yield;
    const result = yield* validateInSlices(value);
    yield;
    const faults = 'faults' in result ? result.faults : keyFaults(value, botKey);
    const warnings = 'warnings' in result ? result.warnings : [];
    const located = faults.length + warnings.length > 0 ? locateJson(text) : none;
    const errors = [
      ...repeated.map((fault) => markOf(fault, 'error')),
      ...marksOf(text, located, faults, 'error'),
    ];
    const marks = [...errors, ...marksOf(text, located, warnings, 'warning')];
    return {
      definition: errors.length === 0 ? (value as Record<string, unknown>) : undefined,
      marks: marks.toSorted((one, other) => one.from - other.from),
    };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { definition: undefined, marks: [markOf(error.fault, 'error')] };
  }
}

function keyFaults(value: unknown, botKey: string | undefined): Fault[] {
  const { key } = value as Record<string, unknown>;
  if (botKey === undefined || key === botKey) return [];
  return [{ pointer: '/key', detail: keyMessages.otherKey(botKey) }];
}

/** What only the console finds wrong. */
export const keyMessages = { otherKey: (key: string) => `Must be the key of the bot: ${key}` };

/** The fields of a call beside its definition. */
const otherFields = ['/note', '/expectedVersion', '/publishDraft', '/conversations'];

/**
 * Returns the faults that the service has found in a definition that is valid here, at their places. A call with the
 * definition has it in `definition`.
 */
export function refusalMarks(text: string, faults: readonly Fault[]): Mark[] {
  const own = faults.filter(({ pointer }) => !otherFields.includes(pointer));
  const named = own.map(({ pointer, detail }) => ({ pointer: pointer.replace(/^\/definition/, ''), detail }));
  return marksOf(text, locateJson(text), named, 'error');
}

interface Fault {
  pointer: string;
  detail: string;
}

type Located = ReturnType<typeof locateJson>;

const none: Located = { values: new Map(), names: new Map() };

function marksOf(
  text: string,
  located: Located,
  faults: readonly Fault[],
  severity: Mark['severity'],
): Mark[] {
  return faults.map((fault) => markOf({ ...fault, ...spanOf(text, located, fault) }, severity));
}

type Place = Fault & { offset: number; length: number };

function markOf({ offset, length, detail, pointer }: Place, severity: Mark['severity']): Mark {
  return { from: offset, to: offset + length, severity, message: detail, pointer };
}
