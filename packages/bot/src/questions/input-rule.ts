import { z } from 'zod';
import { flag, int, label, pattern, symbol, text } from '../text/format-text.ts';

const length = int(1, 4000);
const decimal = z.number().min(-1e15).max(1e15).optional();

const choice = z.strictObject({ value: symbol, label });
const choices = z.array(choice).min(1).max(20).meta({ id: 'choices' });

const scaleLabels = z
  .strictObject({ low: label, high: label })
  .optional()
  .meta({ id: 'scaleLabels', description: 'What the lowest and the highest value mean.' });

const dateBound = pattern(
  /^(today([+-][0-9]{1,4})?|[0-9]{4}-[0-9]{2}-[0-9]{2})$/,
  'YYYY-MM-DD, or today, today+7, today-7 (days, in UTC).',
)
  .optional()
  .meta({ id: 'dateBound' });

const timeBound = pattern(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'HH:MM, 00:00 to 23:59.')
  .optional()
  .meta({ id: 'timeBound' });

/** What an `ask` step accepts. */
export const inputRule = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.enum(['text', 'longText']),
      minLength: length,
      maxLength: length.describe(
        'In UTF-16 code units, as in HTML. Default: 500 for text, 4000 for longText.',
      ),
      pattern: text(200).optional().describe('RE2; must match the whole answer.'),
    }),
    z.strictObject({ type: z.literal('choice'), choices }),
    z.strictObject({
      type: z.literal('multiChoice'),
      choices,
      minSelections: int(0, 20).meta({ default: 1 }),
      maxSelections: int(1, 20).describe('Default: all.'),
    }),
    z.strictObject({ type: z.literal('nps'), labels: scaleLabels }),
    z.strictObject({
      type: z.literal('rating'),
      max: int(2, 10).meta({ default: 5, description: 'The highest rating; the lowest is 1.' }),
      labels: scaleLabels,
    }),
    z.strictObject({
      type: z.literal('number'),
      min: decimal,
      max: decimal,
      integer: flag(false, 'True when only whole numbers are valid.'),
    }),
    z.strictObject({
      type: z.literal('yesNo'),
      labels: z.strictObject({ yes: label, no: label }).optional(),
    }),
    z.strictObject({ type: z.literal('date'), min: dateBound, max: dateBound }),
    z.strictObject({ type: z.literal('time'), min: timeBound, max: timeBound }),
    z.strictObject({ type: z.enum(['email', 'phone', 'url']) }),
  ])
  .meta({ id: 'input', description: 'What an answer may be: its type, and the options that the type has.' });

export type Choice = z.infer<typeof choice>;
export type InputRule = z.infer<typeof inputRule>;
