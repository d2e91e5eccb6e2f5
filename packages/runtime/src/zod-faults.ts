import { z } from 'zod';
import type { Fault } from './errors.ts';
import { pointerTo } from './json-pointer.ts';

/** The largest number of faults in one answer. */
export const faultsMax = 100;

const quotedCharsMax = 64;

/**
 * Returns the faults of a parse with JSON pointers (RFC 6901) below `base`, the first 100. An unknown field
 * has its own fault. A value that fits no branch of a union has the faults of the closest branch. Parse with
 * `faultMessage`.
 */
export function zodFaults({ issues }: z.ZodError, base: readonly PropertyKey[] = []): Fault[] {
  return issues
    .slice(0, faultsMax)
    .flatMap((issue) => issueFaults(issue, base))
    .slice(0, faultsMax);
}

/**
 * Describes a missing, unknown or malformed value where zod's own message does not. Pass it as `error` of a
 * parse.
 */
export function faultMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'Is required' : undefined;
    case 'unrecognized_keys': {
      const known = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : [];
      return `is not a known field${known.length > 0 ? `; known: ${known.join(', ')}` : ''}`;
    }
    case 'invalid_union':
      return unionMessage(issue);
    default:
      return undefined;
  }
}

function issueFaults(issue: z.core.$ZodIssue, base: readonly PropertyKey[]): Fault[] {
  const path = [...base, ...issue.path];
  const fault = (at: readonly PropertyKey[], detail: string): Fault => ({ pointer: pointerTo(at), detail });
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys
        .slice(0, faultsMax)
        .map((key) => fault([...path, key], `${quoted(key)} ${issue.message}`));
    case 'invalid_key':
      return issue.issues.map(({ message }) => fault(path, `${quoted(String(path.at(-1)))}: ${message}`));
    case 'invalid_union': {
      const branch = closestBranch(issue.errors);
      return branch?.flatMap((inner) => issueFaults(inner, path)) ?? [fault(path, issue.message)];
    }
    default:
      return [fault(path, issue.message)];
  }
}

/** Returns the branch that has the value's type and knows most of its fields. */
function closestBranch(branches: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  const unknownFields = (issues: z.core.$ZodIssue[]): number =>
    issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : [])).length;
  return branches
    .filter((issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0))
    .toSorted((left, right) => unknownFields(left) - unknownFields(right))[0];
}

function unionMessage(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string | undefined {
  if (Array.isArray(issue.options)) return `Must be one of: ${issue.options.join(', ')}`;
  if (issue.input === undefined) return 'Is required';
  const errors = issue.errors?.flat() ?? [];
  const types = errors.flatMap((inner) => (inner.code === 'invalid_type' ? [inner.expected] : []));
  return `Must be of type ${[...new Set(types)].join(' or ').replace('record', 'object')}`;
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, quotedCharsMax));
}
