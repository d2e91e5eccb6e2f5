import { z } from 'zod';
import { messages } from '../text/messages.ts';

/** When the customers of a bot are reminded: up to three times, each later than the one before. */
export const reminders = z
  .array(
    z.strictObject({
      afterSeconds: z
        .int()
        .min(3_600)
        .max(15_552_000)
        .describe('Counted from when the interaction became available.'),
    }),
  )
  .max(3)
  .check(({ value, issues }) => {
    for (const [index, { afterSeconds }] of value.entries()) {
      const before = value[index - 1];
      if (!before || afterSeconds > before.afterSeconds) continue;
      const path = [index, 'afterSeconds'];
      issues.push({
        code: 'custom',
        input: afterSeconds,
        path,
        message: messages.notLater,
      });
    }
  })
  .describe(
    'While the customer has not started, the event InteractionReminderDue is raised for each, in rising order. ' +
      'Your receiver sends the message.',
  );
