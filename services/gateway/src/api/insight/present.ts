import type {
  BotInsight,
  DayFigures,
  StepFigures,
  TimeFigures,
  Totals,
  WayFigures,
  WeekFigures,
} from '@parley/contracts/insight/v1/insight';
import { z } from 'zod';
import { count } from '../../values/count.ts';
import { required } from '../../values/message.ts';
import { botKey, id } from '../../values/text.ts';
import { timestamp, toTimestamp } from '../../values/timestamp.ts';
import { evaluationFigures, toEvaluation } from './present-evaluation.ts';

const rate = z.number().min(0).max(1).nullable();
const seconds = z.number().min(0).nullable();

const times = z
  .strictObject({
    n: count.meta({ description: 'How many interactions have this time', examples: [4] }),
    medianSeconds: seconds.meta({
      description: 'The median, at most 5 % off; null without a time',
      examples: [129.6],
    }),
    p90Seconds: seconds.meta({
      description: 'Nine of ten took at most this long, at most 5 % off; null without a time',
      examples: [367.8],
    }),
  })
  .meta({ id: 'InsightTimes' });

const totalFields = {
  created: count.meta({
    description: 'Interactions created in the window, imports excepted',
    examples: [10],
  }),
  started: count.meta({
    description: 'Of the created ones, those with an answered or skipped question',
    examples: [8],
  }),
  completed: count.meta({
    description: 'Of the started ones, those that are `Completed` now',
    examples: [4],
  }),
  expired: count.meta({ description: 'Of the started ones, those that are `Expired` now', examples: [2] }),
  stalled: count.meta({
    description: 'Of the started ones, those in progress that nobody has answered for `stalledAfterSeconds`',
    examples: [1],
  }),
  active: count.meta({
    description: 'Of the started ones, those in progress and not stalled',
    examples: [1],
  }),
  unknown: count.optional().meta({
    description:
      'Of the created ones, those whose conversation cannot be read, so that they count nowhere else. Absent if ' +
      'there is none',
    examples: [1],
  }),
  startRate: rate.meta({ description: '`started / created`; null if none was created', examples: [0.8] }),
  completionRate: rate.meta({
    description: '`completed / started`; null if none was started',
    examples: [0.5],
  }),
  timeToComplete: times.meta({ description: 'From the start to the completion, of the completed ones' }),
  activeSeconds: times.meta({ description: 'As `timeToComplete`, each pause counted as at most 30 minutes' }),
};

const step = z
  .strictObject({
    stepId: z
      .string()
      .meta({ description: 'Steps are joined over versions by their id', examples: ['score'] }),
    kind: z.enum(['ask', 'llm']),
    text: z
      .string()
      .nullable()
      .meta({
        description: 'The question in the language of the bot; null for a chat of a model',
        examples: ['How likely are you to recommend us?'],
      }),
    since: timestamp.meta({ description: 'When the first version with the step was published' }),
    seen: count.meta({ description: 'Interactions that have shown the step', examples: [9] }),
    answered: count.meta({ description: 'Interactions that have answered it', examples: [8] }),
    skipped: count.meta({ description: 'Interactions that have skipped it', examples: [0] }),
    dropped: count.meta({
      description: 'Interactions that are expired or stalled, and this was the last step shown',
      examples: [1],
    }),
    dropRate: rate.meta({ description: '`dropped / seen`; null if it was never seen', examples: [0.125] }),
  })
  .meta({ id: 'InsightStep' });

const way = z
  .strictObject({
    from: z.string().meta({ description: 'The id of the step that it leaves', examples: ['score'] }),
    to: z.string().meta({
      description: 'The id of the step to which it leads: also `from` itself',
      examples: ['problem'],
    }),
    n: count.meta({ description: 'Interactions that have taken it, once or more', examples: [3] }),
  })
  .meta({ id: 'InsightWay' });

const day = z
  .strictObject({
    date: z.iso.date().meta({ description: 'In the time zone of `tz`', examples: ['2026-11-21'] }),
    created: count.meta({
      description: 'Interactions created on this day, imports excepted',
      examples: [10],
    }),
    started: count.meta({ description: 'Of these, those that are started by now', examples: [8] }),
    completed: count.meta({ description: 'Of these, those that are completed by now', examples: [4] }),
    nps: z
      .number()
      .min(-100)
      .max(100)
      .nullable()
      .optional()
      .meta({
        description:
          'The score of the started ones over the first nps key of `evaluation`; null without an answer. ' +
          'Absent if the bot has no nps key',
        examples: [25],
      }),
  })
  .meta({ id: 'InsightDay' });

const week = z
  .strictObject({
    date: z.iso
      .date()
      .meta({ description: 'Its Monday. It may be before the window', examples: ['2026-11-16'] }),
    n: count.meta({ description: 'How many have answered', examples: [8] }),
    nps: z
      .number()
      .min(-100)
      .max(100)
      .nullable()
      .meta({ description: 'The score, as in `days`; null without an answer', examples: [25] }),
    margin: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: 'As in `evaluation`; null without an answer', examples: [57.457] }),
  })
  .meta({ id: 'InsightWeek' });

export const insight = z
  .strictObject({
    bot: z.strictObject({ id, key: botKey, name: z.string().meta({ examples: ['NPS follow-up'] }) }),
    from: timestamp.meta({ description: 'The start of the window, inclusive' }),
    to: timestamp.meta({ description: 'The end of the window, exclusive' }),
    asOf: timestamp.meta({ description: 'The figures have everything that was committed until then' }),
    totals: z.strictObject(totalFields).meta({ id: 'InsightTotals' }),
    previous: z
      .strictObject({ from: timestamp, to: timestamp, ...totalFields })
      .optional()
      .meta({
        id: 'InsightPrevious',
        description: 'The totals of the window of the same length before this one, with `compare=previous`',
      }),
    steps: z.array(step).meta({
      description:
        'Questions and chats in the order of the newest version, then those of older versions only',
    }),
    ways: z
      .array(way)
      .optional()
      .meta({
        description:
          'The ways between steps of all kinds that were taken, in the order of the newest version, then those of ' +
          'steps of older versions only. Absent if none is known',
      }),
    evaluation: evaluationFigures,
    days: z.array(day).meta({ description: 'Every day that the window touches' }),
    weeks: z.array(week).optional().meta({
      description:
        'The score of every week that the window touches, of the days in the window. Absent if the bot has no nps key',
    }),
  })
  .meta({ id: 'Insight' });

export function toInsight(row: BotInsight): z.input<typeof insight> {
  const hasNps = row.evaluation.some(({ values }) => values?.$case === 'nps');
  return {
    bot: { id: row.botId, key: row.botKey, name: row.botName },
    from: toTimestamp(row.from),
    to: toTimestamp(row.to),
    asOf: toTimestamp(row.asOf),
    totals: toTotals(required(row.totals)),
    ...(row.previous && {
      previous: {
        from: toTimestamp(row.previous.from),
        to: toTimestamp(row.previous.to),
        ...toTotals(row.previous),
      },
    }),
    steps: row.steps.map(toStep),
    ...(row.ways.length > 0 && { ways: row.ways.map(toWay) }),
    evaluation: toEvaluation(row.evaluation),
    days: row.days.map((one) => toDay(one, hasNps)),
    ...(hasNps && { weeks: row.weeks.map(toWeek) }),
  };
}

function toTotals(row: Totals) {
  const { created, started, completed, expired, stalled, active, unknown } = row;
  return {
    created,
    started,
    completed,
    expired,
    stalled,
    active,
    ...(unknown > 0 && { unknown }),
    startRate: rateOf(started, created),
    completionRate: rateOf(completed, started),
    timeToComplete: toTimes(row.timeToComplete),
    activeSeconds: toTimes(row.activeSeconds),
  };
}

function toTimes(row: TimeFigures | null) {
  return {
    n: row?.n ?? 0,
    medianSeconds: row?.medianSeconds ?? null,
    p90Seconds: row?.p90Seconds ?? null,
  };
}

function toStep(row: StepFigures): z.input<typeof step> {
  const { stepId, kind, text, since, seen, answered, skipped, dropped } = row;
  return {
    stepId,
    kind: step.shape.kind.parse(kind),
    text: text ?? null,
    since: toTimestamp(since),
    seen,
    answered,
    skipped,
    dropped,
    dropRate: rateOf(dropped, seen),
  };
}

function toWay({ fromStepId: from, toStepId: to, n }: WayFigures): z.input<typeof way> {
  return { from, to, n };
}

function toDay({ date, created, started, completed, nps }: DayFigures, hasNps: boolean): z.input<typeof day> {
  return { date, created, started, completed, ...(hasNps && { nps: nps ?? null }) };
}

function toWeek({ date, n, nps, margin }: WeekFigures): z.input<typeof week> {
  return { date, n, nps: nps ?? null, margin: margin ?? null };
}

function rateOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
