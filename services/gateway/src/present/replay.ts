import type {
  ConversationDifference,
  Course,
  ReplayConversationsResponse,
} from '@parley/contracts/interaction/v1/bot';
import { z } from 'zod';
import { count, positive } from '../values/count.ts';
import { required } from '../values/message.ts';
import { id } from '../values/text.ts';
import { timestamp, toTimestamp } from '../values/timestamp.ts';

const stepId = z.string().meta({ examples: ['why'] });

const course = z
  .strictObject({
    stepIds: z.array(stepId).meta({ description: 'The questions that are asked, in their order' }),
    endStepId: stepId.nullable().meta({
      description: 'The `end` step; null if the conversation stops, or is closed because of its size',
      examples: ['bye'],
    }),
    stopped: z
      .strictObject({ stepId, reason: z.enum(['no-answer', 'refused']).meta({ examples: ['no-answer'] }) })
      .nullable()
      .meta({
        description:
          'The question at which it stops: the customer has not answered it, or the definition refuses the answer',
      }),
  })
  .meta({ id: 'Course' });

const difference = z
  .strictObject({
    interactionId: id,
    botVersion: positive.meta({ description: 'The version that it ran on', examples: [3] }),
    completedAt: timestamp,
    before: course,
    after: course,
    takesAnotherWay: z.boolean().meta({ description: 'Whether other questions are asked', examples: [true] }),
    endsDifferently: z.boolean().meta({ description: 'Whether it reaches another end', examples: [false] }),
    evaluationKeys: z
      .array(z.string())
      .meta({ description: 'The keys of the evaluation that have another value', examples: [['rating']] }),
  })
  .meta({ id: 'ConversationDifference' });

/** The schema of what a replay shows. */
export const replays = z
  .strictObject({
    replayed: count.meta({ description: 'How many conversations were replayed', examples: [500] }),
    differing: count.meta({ description: 'How many of them go differently', examples: [12] }),
    incomplete: count.meta({
      description: 'How many have no complete record, because answers were removed or never given',
      examples: [0],
    }),
    differences: z
      .array(difference)
      .meta({ description: 'Those that go differently, the newest first; the first 100' }),
  })
  .meta({ id: 'Replays' });

/** Returns what a replay shows as the API shows it. */
export function toReplays(row: ReplayConversationsResponse): z.output<typeof replays> {
  const { replayed, differing, incomplete } = row;
  return { replayed, differing, incomplete, differences: row.differences.map(toDifference) };
}

function toDifference(row: ConversationDifference): z.output<typeof difference> {
  const { interactionId, botVersion, takesAnotherWay, endsDifferently, evaluationKeys } = row;
  return {
    interactionId,
    botVersion,
    completedAt: toTimestamp(required(row.completedAt)),
    before: toCourse(required(row.before)),
    after: toCourse(required(row.after)),
    takesAnotherWay,
    endsDifferently,
    evaluationKeys,
  };
}

function toCourse({ stepIds, endStepId, stoppedAt, stoppedBecause }: Course): z.output<typeof course> {
  const stopped =
    typeof stoppedAt === 'string'
      ? {
          stepId: stoppedAt,
          reason: stoppedBecause === 'Refused' ? ('refused' as const) : ('no-answer' as const),
        }
      : null;
  return { stepIds, endStepId: endStepId ?? null, stopped };
}
