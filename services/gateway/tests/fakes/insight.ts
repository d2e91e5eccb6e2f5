import { type BotInsight, InsightServiceService } from '@parley/contracts/insight/v1/insight';
import { notFound } from '@parley/runtime/errors';
import type { Service } from '@parley/rpc/serve';
import { partialService } from '@parley/testing/peers/partial-service';
import type { Answer } from './answers.ts';

// The answers of the insight service.

const from = new Date('2026-11-20T00:00:00Z');
const to = new Date('2026-11-21T00:00:00Z');
const counts = { created: 10, started: 8, completed: 4, expired: 2, stalled: 1, active: 1, unknown: 0 };
const totals = {
  from,
  to,
  ...counts,
  timeToComplete: { n: 4, medianSeconds: 129.6, p90Seconds: 367.8 },
  activeSeconds: { n: 4, medianSeconds: 80.4, p90Seconds: 207.2 },
};
const empty = { created: 0, started: 0, completed: 0, expired: 0, stalled: 0, active: 0, unknown: 0 };
const step = {
  stepId: 'score',
  kind: 'ask',
  text: 'How likely?',
  since: from,
  seen: 8,
  answered: 6,
  skipped: 0,
};

/** The figures of a bot with a key of each kind, and with one that nobody has yet. */
export const figures: Omit<BotInsight, 'botId'> = {
  botKey: 'nps',
  botName: 'NPS',
  from,
  to,
  asOf: new Date('2026-11-21T09:30:00.123Z'),
  totals,
  previous: null,
  steps: [
    { ...step, dropped: 2 },
    { ...step, stepId: 'talk', kind: 'llm', text: null, seen: 0, answered: 0, dropped: 0 },
  ],
  ways: [{ fromStepId: 'score', toStepId: 'talk', n: 6 }],
  evaluation: [
    {
      key: 'nps_score',
      n: 2,
      values: {
        $case: 'nps',
        value: {
          score: 50,
          margin: 69.3,
          promoters: 1,
          passives: 1,
          detractors: 0,
          distribution: [
            { value: '7', n: 1 },
            { value: '10', n: 1 },
          ],
        },
      },
    },
    {
      key: 'rating',
      n: 0,
      values: { $case: 'numbers', value: { mean: null, median: null, distribution: [{ value: '1', n: 0 }] } },
    },
    {
      key: '__proto__',
      n: 1,
      values: { $case: 'counts', value: { counts: [{ value: '__proto__', n: 1 }] } },
    },
    { key: 'name', n: 3, values: null },
  ],
  days: [
    { date: '2026-11-20', created: 10, started: 8, completed: 4, nps: 50 },
    { date: '2026-11-21', created: 0, started: 0, completed: 0, nps: null },
  ],
  weeks: [
    { date: '2026-11-16', n: 2, nps: 50, margin: 69.3 },
    { date: '2026-11-23', n: 0, nps: null, margin: null },
  ],
};

/** Returns the service, which knows one bot. `answer` records a call and makes its answer. */
export function fakeInsight(answer: Answer, knownBotId: string): Service {
  return partialService(InsightServiceService, {
    getBotInsight: answer('getBotInsight', ({ botId, withPrevious }) => {
      if (botId !== knownBotId) throw notFound();
      const previous = withPrevious ? { ...totals, ...empty, timeToComplete: { n: 0 } } : null;
      return { botId, ...figures, previous };
    }),
  });
}
