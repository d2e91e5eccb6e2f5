import type {
  ContactLimit,
  ContactPolicy,
  GetContactabilityResponse,
} from '@parley/contracts/interaction/v1/contact';
import { contactLimits } from '@parley/contracts/limits';
import { z } from 'zod';
import { timestamp, toTimestampOrNull } from '../../values/timestamp.ts';

const { countMax, daysMax } = contactLimits;

const limit = z
  .strictObject({
    count: z
      .int()
      .min(1)
      .max(countMax)
      .meta({ description: 'How many interactions', examples: [1] }),
    days: z
      .int()
      .min(1)
      .max(daysMax)
      .meta({ description: 'In so many last days', examples: [30] }),
  })
  .meta({ id: 'ContactLimit' });

/** Null: no limit. */
export const limits = {
  anyBot: limit.nullable().meta({ description: 'Of all bots together. Null: no limit' }),
  sameBot: limit.nullable().meta({ description: 'Of one bot. Null: no limit' }),
};

export const contactPolicy = z.strictObject(limits).meta({
  id: 'ContactPolicy',
  description: 'How many interactions a customer may be offered in the last days',
});

export const contactability = z
  .strictObject({
    allowed: z
      .boolean()
      .meta({ description: 'Whether an interaction may be offered now', examples: [false] }),
    retryAt: timestamp.nullable().meta({
      description: 'From when it is allowed, unless others are offered meanwhile; null if it is allowed',
    }),
    policy: contactPolicy,
  })
  .meta({ id: 'Contactability' });

export function toContactPolicy({ anyBot, sameBot }: ContactPolicy): z.output<typeof contactPolicy> {
  return { anyBot: toLimit(anyBot), sameBot: toLimit(sameBot) };
}

function toLimit(limit: ContactLimit | null): z.output<typeof limits.anyBot> {
  return limit && { count: limit.count, days: limit.days };
}

export function toContactability({
  allowed,
  retryAt,
  policy,
}: GetContactabilityResponse): z.output<typeof contactability> {
  return {
    allowed,
    retryAt: toTimestampOrNull(retryAt),
    policy: toContactPolicy(policy ?? { anyBot: null, sameBot: null, version: 0 }),
  };
}
