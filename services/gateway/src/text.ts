import { z } from 'zod';

interface TextLimits {
  /** Code points, as all lengths here. */
  min?: number;
  max: number;
  controlCharacters?: 'refused';
}

/**
 * A string that can be stored and given back as it is: well-formed Unicode without NUL, its length counted in
 * code points. With `controlCharacters: 'refused'` none of category Cc either.
 */
export function text({ min = 0, max, controlCharacters }: TextLimits) {
  return z
    .string()
    .check((context) => {
      const add = (message: string): void => {
        context.issues.push({ code: 'custom', message, input: context.value });
      };
      const { value } = context;
      if (!value.isWellFormed()) add('Must be well-formed Unicode');
      if (controlCharacters && /\p{Cc}/u.test(value)) add('Must not contain control characters');
      else if (value.includes('\0')) add('Must not contain the character U+0000');
      if (longerThan(value, max)) add(`Must have at most ${max} characters`);
      else if (value.length < min)
        add(min === 1 ? 'Must not be empty' : `Must have at least ${min} characters`);
    })
    .meta({ minLength: min, maxLength: max });
}

// A code point is one or two UTF-16 units, so only lengths between max and 2 max need counting.
function longerThan(value: string, max: number): boolean {
  if (value.length <= max) return false;
  return value.length > 2 * max || Array.from(value).length > max;
}

/** The client's own id of a customer (contract 2): `.` and `..` are refused because no URL can carry them. */
export const customerId = text({ min: 1, max: 255, controlCharacters: 'refused' }).refine(
  (value) => value !== '.' && value !== '..',
  'Must not be . or ..',
);

/** A first or last name; may be empty. */
export const personName = text({ max: 255 });

const atom = String.raw`[^\s\p{Cc}@.,:;"()<>[\]\\]+`;
const mailbox = new RegExp(`^${atom}(?:\\.${atom})*@${atom}(?:\\.${atom})+$`, 'u');

/** An email address by form: a dotted local part and a dotted domain, international ones too; or empty. */
export const email = text({ max: 320 }).refine(
  (value) => value === '' || mailbox.test(value),
  'Must be an email address',
);

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An id that we gave: a UUID in its usual form, lower case. */
export const id = z.string().regex(uuidForm, 'Must be a UUID').meta({ format: 'uuid' });

/** Any JSON value whose texts, names included, can be stored as they are. */
export const jsonValue = z
  .unknown()
  .refine(isStorable, 'Must be well-formed Unicode without the character U+0000');

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (value === null || typeof value !== 'object') return true;
  return Object.entries(value).every((entry) => entry.every(isStorable));
}

/** How many bytes the text has in UTF-8. */
export function bytesOf(value: string): number {
  return Buffer.byteLength(value, 'utf8');
}
