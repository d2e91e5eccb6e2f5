import { z } from 'zod';

const bound = z.union([z.number(), z.string()]).meta({ examples: [0] });

/** The fields of a question, besides its step, its type and whether it is required. A type has only what it needs. */
export const inputFields = {
  choices: z.array(z.strictObject({ value: z.string(), label: z.string() })).optional(),
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
  prefill: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
};

type InputFields = z.infer<z.ZodObject<typeof inputFields, z.core.$strict>>;

/** What a type tells the browser of a rule. */
export type InputNeeds = Omit<InputFields, 'prefill'>;

/** The current question as the browser sees it (contract section 7). */
export type InputOf<Name extends string> = { stepId: string; type: Name; required: boolean } & InputFields;
