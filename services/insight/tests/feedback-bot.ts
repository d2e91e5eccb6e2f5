import { factKindOf } from '@parley/bot/questions';
import { randomUUID } from 'node:crypto';
import type { ConversationFacts, StepFact, WayFact } from '@parley/contracts/interaction/v1/facts';
import fc from 'fast-check';
import type { TestBot, TestVersion } from './reading-system.ts';
import type { ExpectedKey, ExpectedQuestions } from './recount.ts';

const ask = (id: string, input: object, more: object = {}): object => ({
  id,
  kind: 'ask',
  text: `About ${id}?`,
  required: false,
  input,
  evaluation: id,
  ...more,
});
const choices = (...values: string[]): object => ({
  choices: values.map((value) => ({ value, label: value })),
});
const declared = (...keys: string[]): object => Object.fromEntries(keys.map((key) => [key, {}]));
const end = { id: 'bye', kind: 'end' };

/** Three versions: `plan` and `size` change their kinds, `kept` and `older` do not stay, `mail` is personal. */
export const versions: TestVersion[] = [
  {
    steps: [
      ask('score', { type: 'nps' }),
      ask('plan', { type: 'choice', ...choices('basic', 'pro') }),
      ask('size', { type: 'number' }),
      ask('kept', { type: 'yesNo' }),
      ask('mail', { type: 'email' }, { pii: true }),
      end,
    ],
    evaluation: declared('score', 'plan', 'size', 'kept', 'mail'),
  },
  {
    steps: [
      ask('plan', { type: 'multiChoice', ...choices('pro', 'max') }),
      ask('score', { type: 'nps' }),
      ask('size', { type: 'rating' }),
      ask('agree', { type: 'yesNo' }),
      ask('mail', { type: 'email' }, { pii: true }),
      ask('older', { type: 'longText' }),
      end,
    ],
    evaluation: declared('plan', 'score', 'size', 'agree', 'mail', 'older'),
  },
  {
    steps: [
      ask('score', { type: 'nps' }, { text: { en: 'How likely?', de: 'Wie wahrscheinlich?' } }),
      {
        id: 'talk',
        kind: 'llm',
        mode: 'chat',
        prompt: 'Ask what is missing.',
        onError: { goto: 'bye' },
        evaluation: 'talk',
      },
      ask('plan', { type: 'multiChoice', ...choices('max', 'pro', 'team') }),
      ask('size', { type: 'number' }),
      ask('agree', { type: 'yesNo' }),
      ask('mail', { type: 'email' }, { pii: true }),
      end,
    ],
    evaluation: declared('score', 'talk', 'plan', 'size', 'agree', 'mail'),
  },
];

const [first, second, third] = [1, 2, 3].map((day) => new Date(Date.UTC(2026, 0, day)));
const step = (stepId: string, since = new Date(0), text = `About ${stepId}?`) => ({
  stepId,
  kind: 'ask',
  text,
  since,
});
const key = (name: string, kind: ExpectedKey['kind'], ...values: string[]): ExpectedKey => ({
  key: name,
  kind,
  values,
});
const scores = Array.from({ length: 11 }, (_, value) => String(value));

const stepIdsOf = versions.map(({ steps }) => steps.map((one) => (one as { id: string }).id));

const ofVersion: Omit<ExpectedQuestions, 'stepIds'>[] = [
  {
    steps: ['score', 'plan', 'size', 'kept', 'mail'].map((id) => step(id, first)),
    keys: [
      key('score', 'nps', ...scores),
      key('plan', 'choice', 'basic', 'pro'),
      key('size', 'number'),
      key('kept', 'yesNo', 'yes', 'no'),
      key('mail', 'text'),
    ],
  },
  {
    steps: [
      ...['plan', 'score', 'size'].map((id) => step(id, first)),
      step('agree', second),
      step('mail', first),
      step('older', second),
    ],
    keys: [
      key('plan', 'multiChoice', 'pro', 'max'),
      key('score', 'nps', ...scores),
      key('size', 'rating', '1', '2', '3', '4', '5'),
      key('agree', 'yesNo', 'yes', 'no'),
      key('mail', 'text'),
      key('older', 'text'),
    ],
  },
  {
    steps: [
      step('score', first, 'How likely?'),
      { stepId: 'talk', kind: 'llm', since: third ?? new Date(0) },
      ...['plan', 'size'].map((id) => step(id, first)),
      step('agree', second),
      step('mail', first),
    ],
    keys: [
      key('score', 'nps', ...scores),
      key('talk', 'text'),
      key('plan', 'multiChoice', 'max', 'pro', 'team'),
      key('size', 'number'),
      key('agree', 'yesNo', 'yes', 'no'),
      key('mail', 'text'),
    ],
  },
];

/** Returns the steps and keys of a version; for null, of the newest one, and then what only older ones have. */
export function questionsOf(version: number | null): ExpectedQuestions {
  const at = (version ?? 3) - 1;
  const { steps, keys } = ofVersion[at] ?? { steps: [], keys: [] };
  const stepIds = stepIdsOf[at] ?? [];
  if (version !== null) return { steps, stepIds, keys };
  return {
    stepIds: [...stepIds, 'older', 'kept'],
    steps: [...steps, step('older', second), step('kept', first)],
    keys: [...keys, key('older', 'text'), key('kept', 'yesNo', 'yes', 'no')],
  };
}

/** What is random about an interaction. */
const random = fc.record({
  /** 0: its conversation has not started. */
  version: fc.integer({ min: 0, max: 3 }),
  ageMs: fc.integer({ min: 0, max: 45 * 86_400_000 }),
  shown: fc.integer({ min: 0, max: 6 }),
  outcomes: fc.array(fc.constantFrom('Answered', 'Answered', 'Skipped'), { minLength: 6, maxLength: 6 }),
  isLastOpen: fc.boolean(),
  status: fc.constantFrom('InProgress', 'Completed', 'Completed', 'Expired'),
  isStalled: fc.boolean(),
  isImport: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
  // From a second to a week.
  elapsed: fc.double({ min: 0, max: Math.log(604_800), noNaN: true }),
  values: fc.array(fc.nat(1_000), { minLength: 6, maxLength: 6 }),
});

/** Returns facts of the bot from the 45 days after `since`. A seed always yields equal facts. */
export function randomFacts(
  { workspaceId, id }: Pick<TestBot, 'workspaceId' | 'id'>,
  { since, count, seed }: { since: Date; count: number; seed: number },
): ConversationFacts[] {
  return fc.sample(random, { numRuns: count, seed }).map((of): ConversationFacts => {
    const createdAt = new Date(since.getTime() + of.ageMs);
    const none = { steps: [], stepIds: [], keys: [] };
    const { steps, stepIds, keys } = of.version === 0 ? none : questionsOf(of.version);
    const shown = steps.slice(0, of.shown).map(
      ({ stepId }, index, all): StepFact => ({
        stepId,
        outcome:
          of.isLastOpen && index === all.length - 1
            ? 'OUTCOME_UNSPECIFIED'
            : (of.outcomes[index] ?? 'Skipped'),
      }),
    );
    const status = of.version === 0 ? 'Pending' : of.status;
    const seconds = Math.exp(of.elapsed);
    const startedAt = of.version === 0 ? null : createdAt;
    return {
      workspaceId,
      interactionId: randomUUID(),
      botId: id,
      botVersion: of.version === 0 ? undefined : of.version,
      status,
      version: 1,
      isStalled: status === 'InProgress' && of.isStalled,
      isUnknown: false,
      isImport: of.isImport,
      createdAt,
      startedAt,
      completedAt: status === 'Completed' ? new Date(createdAt.getTime() + seconds * 1_000) : null,
      activeSeconds: status === 'Completed' ? Math.min(seconds, 1_800) : undefined,
      steps: shown,
      lastStepId: shown.at(-1)?.stepId ?? '',
      ways: waysThrough(
        [...shown.map(({ stepId }) => stepId), ...(status === 'Completed' ? stepIds.slice(-1) : [])],
        of.values[0] ?? 0,
      ),
      evaluation: shown.flatMap(({ stepId, outcome }, index) => {
        const found = keys.find((one) => one.key === stepId);
        if (outcome !== 'Answered' || !found) return [];
        return [
          { key: stepId, kind: factKindOf(found.kind), values: valuesOf(found, of.values[index] ?? 0) },
        ];
      }),
    };
  });
}

/** Returns the ways from step to step, and for some random numbers a way back. */
function waysThrough(ids: readonly string[], random: number): WayFact[] {
  const ways = ids.slice(1).map((toStepId, at) => ({ fromStepId: ids[at] ?? '', toStepId }));
  const [first] = ways;
  return first && random % 3 === 0
    ? [...ways, { fromStepId: first.toStepId, toStepId: first.fromStepId }]
    : ways;
}

function valuesOf({ kind, values }: ExpectedKey, random: number): string[] {
  if (kind === 'text') return [];
  if (kind === 'number') return [String((random % 40) / 4 - 3)];
  if (kind === 'multiChoice') return values.filter((_, index) => ((random >> index) & 1) === 1);
  return [values[random % values.length] ?? ''];
}
