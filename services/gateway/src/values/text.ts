import { emailForm } from '@parley/contracts/email';
import { customerIdCharactersMax, customerLimits } from '@parley/contracts/limits';
import { z } from 'zod';

interface TextLimits {
  /** Code points, as all lengths here. */
  min?: number;
  max: number;
  controlCharacters?: 'refused';
  /** Of a text of nothing but blanks, and of an empty one. */
  blank?: 'refused';
}

// What a text may be made of, as a pattern that any engine reads the same way: it is both checked and described.
const anyButNul = { pattern: /^[^\x00]*$/, refusal: 'Must not contain the character U+0000' };
const noControls = {
  pattern: /^[^\x00-\x1f\x7f-\x9f]*$/,
  refusal: 'Must not contain control characters',
};

/**
 * A string that can be stored and given back as it is: well-formed Unicode without NUL, its length counted in
 * code points. With `controlCharacters: 'refused'` none of category Cc either.
 */
export function text({ min = 0, max, controlCharacters, blank }: TextLimits) {
  const { pattern, refusal } = controlCharacters ? noControls : anyButNul;
  const documented = blank ? pattern.source.replace('^', String.raw`^(?=[\s\S]*\S)`) : pattern.source;
  return z
    .string()
    .check((context) => {
      const add = (message: string): void => {
        context.issues.push({ code: 'custom', message, input: context.value });
      };
      const { value } = context;
      if (!value.isWellFormed()) add('Must be well-formed Unicode');
      if (!pattern.test(value)) add(refusal);
      if (longerThan(value, max)) add(`Must have at most ${max} characters`);
      else if (blank ? value.trim() === '' : value.length < min)
        add(min === 1 ? 'Must not be empty' : `Must have at least ${min} characters`);
    })
    .meta({ minLength: min, maxLength: max, pattern: documented });
}

// A code point is one or two UTF-16 units, so only lengths between max and 2 max need counting.
function longerThan(value: string, max: number): boolean {
  if (value.length <= max) return false;
  return value.length > 2 * max || Array.from(value).length > max;
}

/** The client's own id of a customer (contract 2): `.` and `..` are refused because no URL can carry them. */
export const customerId = text({ min: 1, max: customerIdCharactersMax, controlCharacters: 'refused' })
  .refine((value) => value !== '.' && value !== '..', 'Must not be . or ..')
  .meta({
    description: "The client's own id of the customer, compared exactly; not `.` or `..`",
    pattern: noControls.pattern.source.replace('^', String.raw`^(?!\.{1,2}$)`),
    examples: ['customer-1'],
  });

/** A first or last name; may be empty. */
export const personName = text({ max: customerLimits.nameCharactersMax });

/** An email address by form: a dotted local part and a dotted domain, international ones too; or empty. */
export const email = text({ max: customerLimits.emailCharactersMax })
  .refine((value) => value === '' || emailForm.test(value), 'Must be an email address')
  .meta({
    description: 'An email address, or empty',
    pattern: `^$|${emailForm.source}`,
    examples: ['ada@example.com'],
  });

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An id that we gave: a UUID in its usual form, lower case. */
export const id = z
  .string()
  .regex(uuidForm, 'Must be a UUID')
  .meta({ format: 'uuid', examples: ['019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5b'] });

/** The `key` of a bot's definition. */
export const botKey = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'Must be the key of a bot, such as nps-follow-up')
  .meta({ description: "The `key` of the bot's definition", examples: ['nps-follow-up'] });

/** Any JSON value whose texts, names included, can be stored as they are. */
export const jsonValue = z
  .unknown()
  .refine(isStorable, 'Must be well-formed Unicode without the character U+0000');

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (value === null || typeof value !== 'object') return true;
  return Object.entries(value).every((entry) => entry.every(isStorable));
}

/** How a signed token begins, in examples. */
export const tokenExample = 'eyJhbGciOiJIUzI1NiJ9...';

/** How many bytes the text has in UTF-8. */
export function bytesOf(value: string): number {
  return Buffer.byteLength(value, 'utf8');
}
