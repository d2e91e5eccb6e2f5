import { z } from 'zod';
import type { Fault } from './errors.ts';
import { pointerTo } from './json/json-pointer.ts';

/** The largest number of faults in one answer. Nobody reads more, and each takes time to describe. */
export const faultsMax = 100;

const quotedCharsMax = 64;

type Bound = number | bigint;

/**
 * What the faults of a parse say, by name, unless a schema has a message of its own. Callers that show other words need
 * some for each. A text with which others begin comes after them.
 */
export const faultMessages = {
  required: 'Is required',
  fewest: (bound: Bound, unit: string) => `Must have at least ${bound} ${unit}`,
  most: (bound: Bound, unit: string) => `Must have at most ${bound} ${unit}`,
  exactly: (bound: Bound, unit: string) => `Must have exactly ${bound} ${unit}`,
  atLeast: (bound: Bound) => `Must be at least ${bound}`,
  moreThan: (bound: Bound) => `Must be more than ${bound}`,
  atMost: (bound: Bound) => `Must be at most ${bound}`,
  lessThan: (bound: Bound) => `Must be less than ${bound}`,
  multiple: (of: number) => `Must be a multiple of ${of}`,
  url: 'Must be a URL',
  oneOf: (values: string) => `Must be one of: ${values}`,
  mustBe: (what: string) => `Must be ${what}`,
  otherForm: 'Does not have the required form',
  invalid: 'Is not valid',
  unknown: (name: string, what: string) => `${name} is not a known ${what}`,
  ofName: (name: string, fault: string) => `"${name}": ${fault}`,
};

/**
 * Returns the faults of a parse with JSON pointers (RFC 6901) below `base`, the first 100. An unknown field
 * has its own fault. A value that fits no branch of a union has the faults of the closest branch. Parse with
 * `faultMessage`.
 */
export function zodFaults(
  { issues }: Pick<z.core.$ZodError, 'issues'>,
  base: readonly PropertyKey[] = [],
): Fault[] {
  const faults: Fault[] = [];
  for (const fault of faultsIn(issues, base)) if (faults.push(fault) === faultsMax) break;
  return faults;
}

/**
 * Describes a missing, unknown or malformed value, unless its schema has a message of its own. Pass it as `error` of
 * a parse.
 */
export function faultMessage(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? faultMessages.required
        : faultMessages.mustBe(typeName(issue.expected));
    case 'invalid_value': {
      if (issue.input === undefined) return faultMessages.required;
      const values = issue.values.map(String).join(', ');
      return issue.values.length === 1 ? faultMessages.mustBe(values) : faultMessages.oneOf(values);
    }
    case 'too_small':
      return boundMessage(issue, issue.minimum, issue.inclusive === false ? 'moreThan' : 'atLeast');
    case 'too_big':
      return boundMessage(issue, issue.maximum, issue.inclusive === false ? 'lessThan' : 'atMost');
    case 'invalid_format':
      return issue.format === 'url' ? faultMessages.url : faultMessages.otherForm;
    case 'not_multiple_of':
      return faultMessages.multiple(issue.divisor);
    case 'unrecognized_keys': {
      const known = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : [];
      return notKnown('field', known);
    }
    case 'invalid_union':
      return unionMessage(issue);
    default:
      return faultMessages.invalid;
  }
}

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
};

function typeName(type: string): string {
  return typeNames[type] ?? type;
}

/** What a value of a type has, one and several. Numbers have nothing. */
const units: Record<string, readonly [string, string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  object: ['field', 'fields'],
};

interface Bounded {
  origin: string;
  exact?: boolean | undefined;
}

type Relation = 'atLeast' | 'moreThan' | 'atMost' | 'lessThan';

function boundMessage({ origin, exact }: Bounded, bound: Bound, relation: Relation): string {
  const unit = units[origin]?.[Number(bound) === 1 ? 0 : 1];
  if (unit === undefined) return faultMessages[relation](bound);
  if (exact === true) return faultMessages.exactly(bound, unit);
  const isLower = relation === 'atLeast' || relation === 'moreThan';
  return isLower ? faultMessages.fewest(bound, unit) : faultMessages.most(bound, unit);
}

/** Returns the fault of an unknown name, with the known ones. `kind` is what it names. */
export function unknownName(name: string, kind: 'field' | 'parameter', known: readonly string[]): string {
  return `${quoted(name)} ${notKnown(kind, known)}`;
}

function notKnown(kind: string, known: readonly string[]): string {
  // The name goes before it.
  return faultMessages
    .unknown('', known.length > 0 ? `${kind}; known: ${known.join(', ')}` : kind)
    .trimStart();
}

/** Makes each fault when it is asked for: one issue can have as many as the body has names. */
function* faultsIn(issues: readonly z.core.$ZodIssue[], base: readonly PropertyKey[]): Generator<Fault> {
  for (const issue of issues) {
    const path = [...base, ...issue.path];
    const pointer = pointerTo(path);
    const branch = issue.code === 'invalid_union' ? closestBranch(issue.errors) : undefined;
    if (branch) yield* faultsIn(branch, path);
    else if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        yield { pointer: pointerTo([...path, key]), detail: `${quoted(key)} ${issue.message}` };
      }
    } else if (issue.code === 'invalid_key') {
      const name = quoted(String(path.at(-1))).slice(1, -1);
      for (const { message } of issue.issues) yield { pointer, detail: faultMessages.ofName(name, message) };
    } else yield { pointer, detail: issue.message };
  }
}

/** Returns the branch that has the value's type and knows most of its fields. */
function closestBranch(branches: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  const unknownFields = (issues: z.core.$ZodIssue[]): number =>
    issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 0), 0);
  return branches
    .filter((issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0))
    .toSorted((left, right) => unknownFields(left) - unknownFields(right))[0];
}

function unionMessage(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  if (Array.isArray(issue.options)) return faultMessages.oneOf(issue.options.join(', '));
  if (issue.input === undefined) return faultMessages.required;
  const errors = issue.errors?.flat() ?? [];
  const types = errors.flatMap((inner) => (inner.code === 'invalid_type' ? [typeName(inner.expected)] : []));
  return types.length === 0 ? faultMessages.invalid : faultMessages.mustBe([...new Set(types)].join(' or '));
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, quotedCharsMax));
}
