import type {
  ConversationDifference,
  Course,
  DifferenceGroup,
  ReplayConversationsResponse,
} from '@parley/contracts/interaction/v1/bot';
import { z } from 'zod';
import { count, positive } from '../../values/count.ts';
import { required } from '../../values/message.ts';
import { id } from '../../values/text.ts';
import { timestamp, toTimestamp } from '../../values/timestamp.ts';

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
    hearsAnotherText: z.boolean().meta({
      description: 'Whether the customer hears another text at a question, or at the end',
      examples: [false],
    }),
  })
  .meta({ id: 'ConversationDifference' });

const cut = 'Long texts are cut around the difference';

const group = z
  .strictObject({
    count: positive.meta({ description: 'How many go differently in this way', examples: [12] }),
    newest: difference.meta({ description: 'The newest of them. The texts and values are from it' }),
    texts: z
      .array(
        z.strictObject({
          stepId: stepId.nullable().meta({ description: 'The question; null at the end', examples: ['why'] }),
          before: z.string().meta({ examples: ['How good was it?'] }),
          after: z.string().meta({ examples: ['How was your coffee?'] }),
        }),
      )
      .meta({ description: `What the customer hears otherwise; the first 10. ${cut}` }),
    evaluation: z
      .array(
        z.strictObject({
          key: z.string().meta({ examples: ['rating'] }),
          before: z
            .string()
            .nullable()
            .meta({ description: 'Null: there is none', examples: ['3'] }),
          after: z
            .string()
            .nullable()
            .meta({ description: 'Null: there is none', examples: ['good'] }),
        }),
      )
      .meta({ description: `The values of the evaluation that differ; the first 10. ${cut}` }),
  })
  .meta({ id: 'DifferenceGroup' });

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
    groups: z.array(group).meta({
      description:
        'The ways in which they go differently, the most frequent first; the first 50. Those of a way differ in the ' +
        'same questions and ends, in the texts of the same questions, and in the same values',
    }),
  })
  .meta({ id: 'Replays' });

export function toReplays(row: ReplayConversationsResponse): z.output<typeof replays> {
  const { replayed, differing, incomplete } = row;
  const differences = row.differences.map(toDifference);
  return { replayed, differing, incomplete, differences, groups: row.groups.map(toGroup) };
}

function toGroup({ count: size, newest, texts, evaluation }: DifferenceGroup): z.output<typeof group> {
  return {
    count: size,
    newest: toDifference(required(newest)),
    texts: texts.map((one) => ({ ...one, stepId: one.stepId ?? null })),
    evaluation: evaluation.map(({ key, before, after }) => ({
      key,
      before: before ?? null,
      after: after ?? null,
    })),
  };
}

function toDifference(row: ConversationDifference): z.output<typeof difference> {
  const { interactionId, botVersion, takesAnotherWay, endsDifferently, evaluationKeys, hearsAnotherText } =
    row;
  return {
    interactionId,
    botVersion,
    completedAt: toTimestamp(required(row.completedAt)),
    before: toCourse(required(row.before)),
    after: toCourse(required(row.after)),
    takesAnotherWay,
    endsDifferently,
    evaluationKeys,
    hearsAnotherText,
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
