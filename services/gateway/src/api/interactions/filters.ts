import { conversationLimits, interactionLimits } from '@parley/contracts/limits';
import { z } from 'zod';
import { priority, status } from './present.ts';
import { largestVersion } from '../../values/count.ts';
import { truth, wholeNumber } from '../../values/query.ts';
import { botKey, customerId, id, textSchema } from '../../values/text.ts';
import { instant, isBefore } from '../../values/timestamp.ts';

const { evaluationFiltersMax, evaluationFilterCharactersMax } = interactionLimits;

const entry = textSchema({ min: 2, max: evaluationFilterCharactersMax })
  .refine((value) => value.indexOf(':') > 0, 'Must be a key, a colon and a value')
  .meta({ pattern: '^[^:\\x00]+:[^\\x00]*$', examples: ['nps_score:9'] });

const isTest = truth().optional();

const filterFields = {
  status: status.optional().meta({ description: 'Only those in this status' }),
  priority: priority.optional().meta({ description: 'Only those of this priority' }),
  customerId: customerId.optional().meta({ description: 'Only those of this customer' }),
  botId: id.optional().meta({ description: 'Only those with this bot' }),
  botKey: botKey.optional().meta({ description: 'Only those with the bot of this `key`' }),
  createdFrom: instant.optional().meta({
    description:
      'Only those created at or after this instant: with a zone (RFC 3339), or in UTC as the API writes it',
  }),
  createdTo: instant.optional().meta({ description: 'Only those created before this instant' }),
  updatedFrom: instant
    .optional()
    .meta({ description: 'Only those that changed last at or after this instant' }),
  completedFrom: instant.optional().meta({ description: 'Only those completed at or after this instant' }),
  completedTo: instant.optional().meta({ description: 'Only those completed before this instant' }),
  evaluation: z
    .array(entry)
    .max(evaluationFiltersMax, `Must be repeated at most ${evaluationFiltersMax} times`)
    .optional()
    .meta({
      description:
        'Only those whose evaluation has this value for this key, written `key:value`, compared exactly. ' +
        'May be repeated: all must hold. A key that is personal in a bot needs the scope `personal-data:read`',
    }),
  stoppedAt: textSchema({ min: 1, max: conversationLimits.stepIdCharactersMax })
    .optional()
    .meta({
      description:
        'Only those that have expired or stalled at this step of the bot, the last one shown: what `dropped` of ' +
        'its insight counts. Needs `botId` or `botKey`',
      examples: ['score'],
    }),
  botVersion: wholeNumber(1, largestVersion)
    .optional()
    .meta({
      description: 'Only conversations on this version of the bot. Needs `stoppedAt`',
      examples: [2],
    }),
};

export const interactionFilters = z.object({
  ...filterFields,
  isTest: isTest.meta({
    description: '`true`: only test interactions; `false`: only others',
    examples: [true],
  }),
});

export const exportFilters = z.object({
  ...filterFields,
  isTest: isTest.meta({
    description: '`true`: only test interactions. Else an export has none',
    examples: [true],
  }),
});

/** Adds the checks that concern two filters. */
export function checkedFilters<Shape extends z.ZodRawShape>(filters: z.ZodObject<Shape>): z.ZodObject<Shape> {
  const periods = [
    ['createdFrom', 'createdTo'],
    ['completedFrom', 'completedTo'],
  ] as const;
  let checked = filters;
  for (const [from, to] of periods) {
    checked = checked.refine(
      (query) => {
        const { [from]: since, [to]: until } = query as Record<string, Date | undefined>;
        return isBefore({ since, until });
      },
      { path: [to], error: `Must be after ${from}` },
    );
  }
  return checked.check(({ value, issues }) => {
    const { botId, botKey, stoppedAt, botVersion } = value as Record<string, unknown>;
    const refuse = (field: string, message: string): void =>
      void issues.push({ code: 'custom', path: [field], message, input: value });
    if (stoppedAt !== undefined && botId === undefined && botKey === undefined)
      refuse('stoppedAt', 'Needs botId or botKey');
    if (botVersion !== undefined && stoppedAt === undefined) refuse('botVersion', 'Needs stoppedAt');
  });
}

export function requestFilters({ evaluation = [], ...filters }: z.output<typeof interactionFilters>) {
  return { ...filters, evaluation };
}
