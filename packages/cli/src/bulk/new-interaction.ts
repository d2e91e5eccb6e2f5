import type { NewInteraction } from '@parley/client';
import { customerIdFault } from '@parley/contracts/customer-id';
import { emailForm } from '@parley/contracts/email';
import { customerLimits, interactionLimits, isLonger } from '@parley/contracts/limits';
import type { Fault } from '@parley/runtime/errors';
import { faultMessage, zodFaults } from '@parley/runtime/zod-faults';
import { z } from 'zod';

const { nameCharactersMax, emailCharactersMax } = customerLimits;
const { contextValueBytesMax, contextBytesMax, expirySecondsMax } = interactionLimits;

const storable = z
  .string()
  .refine(
    (value) => value.isWellFormed() && !value.includes('\0'),
    'Must be well-formed Unicode without U+0000',
  );

const limited = (max: number) =>
  storable.refine((value) => !isLonger(value, max), `Must have at most ${max} characters`);

const customerId = z.string().check(({ value, issues }) => {
  const message = customerIdFault(value);
  if (message) issues.push({ code: 'custom', message, input: value });
});

const context = z
  .array(
    z.strictObject({
      key: z.string(),
      value: storable.refine(
        (value) => Buffer.byteLength(value) <= contextValueBytesMax,
        `Must be at most ${contextValueBytesMax / 1024} KiB in UTF-8`,
      ),
    }),
  )
  .refine(
    (entries) => entries.reduce((bytes, { value }) => bytes + Buffer.byteLength(value), 0) <= contextBytesMax,
    `Must be at most ${contextBytesMax / 1024} KiB in all`,
  )
  .refine((entries) => new Set(entries.map(({ key }) => key)).size === entries.length, 'Has a key twice');

const schema: z.ZodType<NewInteraction> = z
  .strictObject({
    customerId,
    customer: z
      .strictObject({
        firstName: limited(nameCharactersMax).optional(),
        lastName: limited(nameCharactersMax).optional(),
        email: limited(emailCharactersMax)
          .refine((value) => value === '' || emailForm.test(value), 'Must be an email address')
          .optional(),
      })
      .optional(),
    botId: z.string().optional(),
    botKey: z.string().optional(),
    status: z.enum(['Draft', 'Pending', 'InProgress', 'Completed', 'Expired']).optional(),
    priority: z.enum(['Low', 'Medium', 'High']).optional(),
    expiry: z
      .number('Must be a number of seconds, or in a CSV file of days, such as 30d')
      .min(0, 'Must not be negative')
      .max(expirySecondsMax, 'Must be at most ten years, in seconds from now')
      .nullable()
      .optional(),
    context: context.optional(),
  })
  .refine(({ botId, botKey }) => (botId === undefined) !== (botKey === undefined), {
    path: ['botKey'],
    message: 'Exactly one of botKey and botId is required: name the bot in the file, or with --bot',
  });

/** Checks a body of `POST /interactions` as the API does, except for what only the API knows. */
export function checkInteraction(value: unknown): { item: NewInteraction } | { faults: Fault[] } {
  const parsed = schema.safeParse(value, { error: faultMessage });
  return parsed.success ? { item: parsed.data } : { faults: zodFaults(parsed.error) };
}
