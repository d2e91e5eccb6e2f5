import { type DetailName, detailForm, detailOf } from '@parley/contracts/customer-details';
import { customerIdCharactersMax, isLonger } from '@parley/contracts/limits';
import { z } from 'zod';

interface TextLimits {
  /** In code points, as all lengths here. */
  min?: number;
  max: number;
  controlCharacters?: 'refused';
  /** The error for an empty text, and for a text of blanks only. */
  blank?: 'refused';
}

// The allowed characters, as patterns that every regex engine reads the same way: they are also in the document.
const anyButNul = { pattern: /^[^\x00]*$/, refusal: 'Must not contain the character U+0000' };
const noControls = {
  pattern: /^[^\x00-\x1f\x7f-\x9f]*$/,
  refusal: 'Must not contain control characters',
};

/**
 * Returns the schema of a string that can be stored unchanged: well-formed Unicode without NUL. Lengths are in code
 * points. `controlCharacters: 'refused'` also excludes category Cc.
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
      if (isLonger(value, max)) add(`Must have at most ${max} characters`);
      else if (blank ? value.trim() === '' : !isLonger(value, min - 1))
        add(min === 1 ? 'Must not be empty' : `Must have at least ${min} characters`);
    })
    .meta({ minLength: min, maxLength: max, pattern: documented });
}

/** The client's own id of a customer (contract 2). A URL cannot contain `.` and `..`. */
export const customerId = text({ min: 1, max: customerIdCharactersMax, controlCharacters: 'refused' })
  .refine((value) => value !== '.' && value !== '..', 'Must not be . or ..')
  .meta({
    description: "The client's own id of the customer, compared exactly; not `.` or `..`",
    pattern: noControls.pattern.source.replace('^', String.raw`^(?!\.{1,2}$)`),
    examples: ['customer-1'],
  });

export function detail(name: DetailName): z.ZodString {
  const { charactersMax, example } = detailOf(name);
  const schema = text({ max: charactersMax });
  const form = detailForm(name);
  if (!form) return schema.meta({ examples: [example] });
  const { pattern, fault, description } = form;
  return schema
    .refine((value) => value === '' || pattern.test(value), fault)
    .meta({ description, pattern: `^$|${pattern.source}`, examples: [example] });
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An id of a resource: a UUID in lower case. */
export const id = z
  .string()
  .regex(uuidForm, 'Must be a UUID')
  .meta({ format: 'uuid', examples: ['019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5b'] });

export const botKey = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'Must be the key of a bot, such as nps-follow-up')
  .meta({ description: "The `key` of the bot's definition", examples: ['nps-follow-up'] });

/** Any JSON value whose names and texts can be stored unchanged. */
export const jsonValue = z
  .unknown()
  .refine(isStorable, 'Must be well-formed Unicode without the character U+0000');

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (value === null || typeof value !== 'object') return true;
  if (Array.isArray(value)) return value.every(isStorable);
  return Object.entries(value).every(([name, inner]) => isStorable(name) && isStorable(inner));
}

/** The start of a signed token, for examples. */
export const tokenExample = 'eyJhbGciOiJIUzI1NiJ9...';
