import { z } from 'zod';
import type { Fault } from './errors.ts';
import { pointerTo } from './json/json-pointer.ts';

/** The largest number of faults in one answer. Nobody reads more, and each takes time to describe. */
export const faultsMax = 100;

const quotedCharsMax = 64;

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
      return issue.input === undefined ? 'Is required' : `Must be ${typeName(issue.expected)}`;
    case 'invalid_value': {
      if (issue.input === undefined) return 'Is required';
      const values = issue.values.map(String);
      return `Must be ${values.length === 1 ? '' : 'one of: '}${values.join(', ')}`;
    }
    case 'too_small':
      return boundMessage(issue, issue.minimum, issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return boundMessage(issue, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
    case 'invalid_format':
      return issue.format === 'url' ? 'Must be a URL' : 'Does not have the required form';
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys': {
      const known = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : [];
      return notKnown('field', known);
    }
    case 'invalid_union':
      return unionMessage(issue);
    default:
      return 'Is not valid';
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

interface Bound {
  origin: string;
  exact?: boolean | undefined;
}

function boundMessage({ origin, exact }: Bound, bound: number | bigint, relation: string): string {
  const unit = units[origin]?.[Number(bound) === 1 ? 0 : 1];
  return `Must ${unit ? 'have' : 'be'} ${exact ? 'exactly' : relation} ${bound}${unit ? ` ${unit}` : ''}`;
}

/** Returns the fault of an unknown name, with the known ones. `kind` is what it names. */
export function unknownName(name: string, kind: 'field' | 'parameter', known: readonly string[]): string {
  return `${quoted(name)} ${notKnown(kind, known)}`;
}

function notKnown(kind: string, known: readonly string[]): string {
  return `is not a known ${kind}${known.length > 0 ? `; known: ${known.join(', ')}` : ''}`;
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
      const name = quoted(String(path.at(-1)));
      for (const { message } of issue.issues) yield { pointer, detail: `${name}: ${message}` };
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
  if (Array.isArray(issue.options)) return `Must be one of: ${issue.options.join(', ')}`;
  if (issue.input === undefined) return 'Is required';
  const errors = issue.errors?.flat() ?? [];
  const types = errors.flatMap((inner) => (inner.code === 'invalid_type' ? [typeName(inner.expected)] : []));
  return types.length === 0 ? 'Is not valid' : `Must be ${[...new Set(types)].join(' or ')}`;
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, quotedCharsMax));
}
