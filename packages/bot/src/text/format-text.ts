import { z } from 'zod';
import { type Message, messages } from './messages.ts';

/** A string of `min` to `max` code points, as the JSON Schema counts them. */
export function boundedText(max: number, min = 1) {
  return z
    .string()
    .min(min, messages.empty)
    .refine((value) => value.length <= max || Array.from(value).length <= max, {
      error: messages.longText(max),
    })
    .meta({ maxLength: max });
}

/** Returns the schema of a string in one form. `form` describes it, in faults too. */
export function pattern(expression: RegExp, form: Message) {
  return z.string().regex(expression, form).meta({ description: form });
}

export const name = pattern(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, messages.nameForm).meta({ id: 'name' });

/** The value of a choice, or a label of a classification. */
export const symbol = pattern(/^[A-Za-z0-9_.-]{1,64}$/, messages.symbolForm);

export const localeTag = pattern(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, messages.localeForm).meta({
  id: 'locale',
});

export const expression = boundedText(500).meta({
  id: 'expression',
  description:
    'CEL over answers, context, customer and evaluation. One that fails at run time, such as for a missing answer, is false.',
});

/** An optional whole number. */
export function int(min: number, max: number) {
  return z.int().min(min).max(max).optional();
}

/** An optional boolean with its default. */
export function flag(otherwise: boolean, description: string) {
  return z.boolean().optional().meta({ default: otherwise, description });
}

/** An object with names of the author's choice. */
export function namedValues<Value extends z.ZodType>(value: Value, { min = 0, max = 20, key = name } = {}) {
  return z
    .record(key, value)
    .refine((members) => Object.keys(members).length >= min, { error: messages.empty })
    .refine((members) => Object.keys(members).length <= max, { error: messages.manyMembers(max) })
    .meta({ minProperties: min, maxProperties: max });
}

function perLanguage(max: number) {
  return z.union([boundedText(max), namedValues(boundedText(max), { min: 1, key: localeTag })]);
}

export const localText = perLanguage(4000).meta({
  id: 'text',
  description:
    'Text, or one per language. {{customer.firstName|there}}, {{context.x}}, {{answers.x}} and {{evaluation.x}} are ' +
    'filled in once, as plain text; what follows | replaces a missing value.',
});

export const label = perLanguage(150).meta({
  id: 'label',
  description: 'A label, or one per language. References are not replaced.',
});

/** Text in the definition's language, or one text per language tag (with the definition's own language). */
export type LocalText = z.infer<typeof localText>;

/** Names a text of a step: `text`, `input.choices.small`. */
const textPlace = pattern(/^[A-Za-z0-9_.-]{1,80}$/, messages.placeForm);

/** Marks of what was translated, in a step. */
export const translated = namedValues(
  namedValues(pattern(/^[0-9a-f]{8}$/, messages.markForm), { max: 100, key: textPlace }),
  { key: localeTag },
)
  .optional()
  .meta({
    id: 'translated',
    description:
      'By language and text: the first digits of the SHA-256 of what was translated. Programs write it, and tell by ' +
      'it which translations are older than their source.',
  });
