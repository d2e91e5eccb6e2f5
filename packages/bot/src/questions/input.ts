import { z } from 'zod';

const bound = z.union([z.number(), z.string()]).meta({ examples: [0] });

const choice = z.strictObject({ value: z.string(), label: z.string() });
const choices = z.array(choice.extend({ exclusive: z.literal(true).optional() })).optional();

export type DescribedChoice = NonNullable<z.infer<typeof choices>>[number];

const words = z.strictObject({ other: z.string() });

/** The fields of a question, besides its step, its type and whether it is required. A type has only what it needs. */
export const inputFields = {
  /** `exclusive`: chosen alone. */
  choices,
  /** The customer may answer in own words, instead of a choice or beside them: `{"other": "text"}`. */
  other: z.strictObject({ label: z.string(), maxLength: z.int() }).optional(),
  /** How many places a ranking has. */
  rankMax: z.int().optional(),
  rows: z.array(choice).optional(),
  columns: z.array(choice).optional(),
  /** Whether each row needs an answer. */
  rowsRequired: z.boolean().optional(),
  /** What the customer consents to, and the address of its full text. */
  label: z.string().optional(),
  url: z.string().optional(),
  /** Numbers, or texts in the form of the type's values. */
  min: bound.optional(),
  max: bound.optional(),
  minLength: z.int().optional(),
  maxLength: z.int().optional(),
  minSelections: z.int().optional(),
  maxSelections: z.int().optional(),
  /** `yes` and `no`, or `low` and `high` of a scale. */
  labels: z.record(z.string(), z.string()).optional(),
  /** The first content of the field: a valid value. */
  prefill: z
    .union([
      z.string(),
      z.number(),
      z.boolean(),
      z.array(z.union([z.string(), words])),
      z.record(z.string(), z.string()),
    ])
    .optional(),
};

type InputFields = z.infer<z.ZodObject<typeof inputFields, z.core.$strict>>;

/** What a type tells the browser of a rule. */
export type InputNeeds = Omit<InputFields, 'prefill'>;

/** The current question as the browser sees it (contract section 7). */
export type InputOf<Name extends string> = { stepId: string; type: Name; required: boolean } & InputFields;
