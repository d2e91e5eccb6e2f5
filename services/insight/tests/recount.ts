import { factKindOf, type ValueKind } from '@parley/bot/questions';
import type { ConversationFacts } from '@parley/contracts/interaction/v1/facts';

/** What a test expects of a key, and how its values are counted. */
export interface ExpectedKey {
  key: string;
  kind: ValueKind;
  values: string[];
}

/** What a test expects of a bot or one of its versions. */
export interface ExpectedQuestions {
  steps: { stepId: string; kind: string; text?: string; since: Date }[];
  /** Of all steps. */
  stepIds: string[];
  keys: ExpectedKey[];
}

interface Window {
  from: Date;
  to: Date;
}

interface Recount extends Window {
  facts: readonly ConversationFacts[];
  tz: string;
  version: number | null;
  questions: ExpectedQuestions;
}

export function within(
  facts: readonly ConversationFacts[],
  { from, to }: Window,
  version: number | null,
): ConversationFacts[] {
  return facts.filter(
    ({ createdAt, isImport, botVersion }) =>
      !isImport &&
      createdAt !== null &&
      createdAt >= from &&
      createdAt < to &&
      (version === null || botVersion === version),
  );
}

/** Counts the facts of a window, one by one. */
export function recount({ facts, from, to, tz, version, questions }: Recount): object {
  const created = within(facts, { from, to }, version);
  const started = created.filter(isStarted);
  const nps = questions.keys.find(({ kind }) => kind === 'nps');
  const days = datesOf({ from, to }, tz).map((date) => {
    const ofDay = created.filter(({ createdAt }) => createdAt && dateIn(tz, createdAt) === date);
    const startedOfDay = ofDay.filter(isStarted);
    const scores = nps ? valuesOf(startedOfDay, nps).map(Number) : [];
    return {
      date,
      created: ofDay.length,
      started: startedOfDay.length,
      completed: startedOfDay.filter((one) => stateOf(one) === 'completed').length,
      ...(scores.length > 0 && { nps: scoreOf(scores) }),
    };
  });
  return {
    totals: totals({ from, to }, created),
    steps: questions.steps.map((step) => ({ ...step, ...countStep(created, step.stepId) })),
    ways: countWays(created, questions.stepIds),
    evaluation: questions.keys.map((key) => countKey(started, key)),
    days,
    weeks: nps ? weeksOf(started, days, { nps, tz }) : [],
  };
}

/** Returns the score of each week that has some of the days. */
function weeksOf(
  started: readonly ConversationFacts[],
  days: readonly { date: string }[],
  { nps, tz }: { nps: ExpectedKey; tz: string },
): object[] {
  return [...new Set(days.map(({ date }) => mondayBefore(date)))].map((date) => {
    const ofWeek = started.filter(
      ({ createdAt }) => createdAt && mondayBefore(dateIn(tz, createdAt)) === date,
    );
    const scores = valuesOf(ofWeek, nps).map(Number);
    const n = scores.length;
    return { date, n, ...(n > 0 && { nps: scoreOf(scores), margin: marginOf(scores) }) };
  });
}

/** Goes back day by day. */
function mondayBefore(date: string): string {
  let at = Date.parse(date);
  while (new Date(at).getUTCDay() !== 1) at -= 86_400_000;
  return new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** Returns the totals of facts, without the quantiles of their times. */
export function totals({ from, to }: Window, created: readonly ConversationFacts[]): object {
  const started = created.filter(isStarted);
  const count = (state: string): number => started.filter((one) => stateOf(one) === state).length;
  const n = count('completed');
  return {
    from,
    to,
    created: created.length,
    started: started.length,
    completed: n,
    expired: count('expired'),
    stalled: count('stalled'),
    active: count('active'),
    unknown: created.filter(({ isUnknown }) => isUnknown).length,
    timeToComplete: { n },
    activeSeconds: { n },
  };
}

/** Returns the times of the completed ones, rising. */
export function completionSeconds(created: readonly ConversationFacts[]): number[] {
  return created
    .filter((one) => isStarted(one) && stateOf(one) === 'completed')
    .map(
      ({ startedAt, completedAt }) => ((completedAt?.getTime() ?? 0) - (startedAt?.getTime() ?? 0)) / 1_000,
    )
    .toSorted((one, other) => one - other);
}

function countStep(facts: readonly ConversationFacts[], stepId: string): object {
  const outcomes = facts.flatMap(({ steps }) => steps.filter((step) => step.stepId === stepId));
  const dropped = facts.filter(
    (one) => one.lastStepId === stepId && ['expired', 'stalled'].includes(stateOf(one)),
  );
  return {
    seen: outcomes.length,
    answered: outcomes.filter(({ outcome }) => outcome === 'Answered').length,
    skipped: outcomes.filter(({ outcome }) => outcome === 'Skipped').length,
    dropped: dropped.length,
  };
}

function countWays(facts: readonly ConversationFacts[], stepIds: readonly string[]): object[] {
  const taken = facts.flatMap(({ ways }) => ways.map((way) => `${way.fromStepId} ${way.toStepId}`));
  return stepIds.flatMap((fromStepId) =>
    stepIds.flatMap((toStepId) => {
      const n = taken.filter((way) => way === `${fromStepId} ${toStepId}`).length;
      return n > 0 ? [{ fromStepId, toStepId, n }] : [];
    }),
  );
}

function countKey(started: readonly ConversationFacts[], expected: ExpectedKey): object {
  const { key, kind, values: declared } = expected;
  const ofKind = started.flatMap(({ evaluation }) =>
    evaluation.filter((one) => one.key === key && (kind === 'text' || one.kind === factKindOf(kind))),
  );
  const n = ofKind.length;
  const values = valuesOf(started, expected);
  const numbers = values.map(Number).toSorted((one, other) => one - other);
  const mean = numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const median = ((numbers[(n - 1) >> 1] ?? 0) + (numbers[n >> 1] ?? 0)) / 2;
  const others = [...new Set(values)].filter((value) => !declared.includes(value));
  const count = (value: string) => ({ value, n: values.filter((one) => one === value).length });
  const rising = [...declared, ...others].toSorted((one, other) => Number(one) - Number(other)).map(count);
  if (kind === 'text') return { key, n };
  if (kind === 'nps') {
    const figures = {
      ...groupsOf(numbers),
      ...(n > 0 && { score: scoreOf(numbers), margin: marginOf(numbers) }),
    };
    return { key, n, values: { $case: 'nps', value: { ...figures, distribution: rising } } };
  }
  if (kind === 'rating' || kind === 'number') {
    const value = { ...(n > 0 && { mean, median }), distribution: rising };
    return { key, n, values: { $case: 'numbers', value } };
  }
  const counts = [...declared, ...others.toSorted()].map(count);
  return { key, n, values: { $case: 'counts', value: { counts } } };
}

function valuesOf(facts: readonly ConversationFacts[], { key, kind }: ExpectedKey): string[] {
  return facts.flatMap(({ evaluation }) =>
    evaluation
      .filter((one) => one.key === key && one.kind === factKindOf(kind))
      .flatMap(({ values }) => values),
  );
}

function groupsOf(scores: readonly number[]): { promoters: number; passives: number; detractors: number } {
  const promoters = scores.filter((score) => score >= 9).length;
  const detractors = scores.filter((score) => score <= 6).length;
  return { promoters, detractors, passives: scores.length - promoters - detractors };
}

function scoreOf(scores: readonly number[]): number {
  const { promoters, detractors } = groupsOf(scores);
  return (100 * promoters) / scores.length - (100 * detractors) / scores.length;
}

function marginOf(scores: readonly number[]): number {
  const { promoters, detractors } = groupsOf(scores);
  const n = scores.length;
  const [p, d] = [promoters / n, detractors / n];
  return 196 * Math.sqrt((p + d - (p - d) * (p - d)) / n);
}

function isStarted({ steps }: ConversationFacts): boolean {
  return steps.some(({ outcome }) => outcome === 'Answered' || outcome === 'Skipped');
}

function stateOf({ status, isStalled }: ConversationFacts): string {
  if (status === 'Completed') return 'completed';
  if (status === 'Expired') return 'expired';
  return isStalled ? 'stalled' : 'active';
}

/** Looks at each quarter of an hour: offsets of zones are multiples of it. */
function datesOf({ from, to }: Window, tz: string): string[] {
  const dates = new Set<string>();
  const quarterMs = 900_000;
  const first = Math.floor(from.getTime() / quarterMs) * quarterMs;
  for (let ms = first; ms < to.getTime(); ms += quarterMs) {
    dates.add(dateIn(tz, new Date(Math.max(ms, from.getTime()))));
  }
  return [...dates];
}

const formats = new Map<string, Intl.DateTimeFormat>();

function dateIn(tz: string, at: Date): string {
  const options = { timeZone: tz, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const format = formats.get(tz) ?? new Intl.DateTimeFormat('en-GB', options);
  formats.set(tz, format);
  const [day, month, year] = format.format(at).split('/');
  return `${year}-${month}-${day}`;
}
