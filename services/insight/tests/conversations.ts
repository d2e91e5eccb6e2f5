import {
  type EventType,
  interactionCompleted,
  interactionCreated,
  interactionExpired,
  interactionResumed,
  interactionStalled,
  interactionStarted,
} from '@parley/contracts/events';
import {
  type ConversationFacts,
  type EvaluationFact,
  EvaluationFact_Kind as Kind,
  type StepFact,
  type WayFact,
} from '@parley/contracts/interaction/v1/facts';
import { v7 as uuidv7 } from 'uuid';
import { type Counts, countsOf } from '../src/figures/counts.ts';

// Random conversations, and a plain count of them.

/** Returns a number from 0 to 1. */
export type Random = () => number;

/** Returns numbers from a seed, so that a failure can be repeated: mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('there are no items');
  return item;
}

/** A change of a conversation, and the event that it raises. */
export interface Change {
  facts: ConversationFacts;
  event: EventType | undefined;
}

const dayMs = 24 * 60 * 60 * 1_000;
const beginMs = Date.parse('2026-03-28T00:00:00Z');
const workspaceId = '00000000-0000-4000-8000-000000000001';
const botIds = [1, 2, 3].map((number) => `00000000-0000-4000-8000-00000000b00${number}`);
const stepIds = Array.from({ length: 8 }, (_, index) => `step-${index + 1}`);
const texts: EvaluationFact = { key: 'comment', kind: Kind.KIND_UNSPECIFIED, values: [] };

/** Returns a new interaction: one of twenty is an import. */
export function createConversation(random: Random): Change {
  const createdAt = new Date(beginMs + Math.floor(2 * dayMs * random()));
  const facts: ConversationFacts = {
    workspaceId,
    interactionId: uuidv7({ msecs: createdAt.getTime() }),
    botId: pick(random, botIds),
    status: 'Pending',
    version: 1,
    isStalled: false,
    isUnknown: false,
    isImport: false,
    createdAt,
    startedAt: null,
    completedAt: null,
    steps: [],
    lastStepId: '',
    ways: [],
    evaluation: [],
  };
  if (random() < 0.05) return { facts: { ...facts, isImport: true, status: 'Completed' }, event: undefined };
  return { facts, event: interactionCreated };
}

/** Returns the next change of a conversation; undefined if it is over. */
export function changeOf(facts: ConversationFacts, random: Random): Change | undefined {
  const change = random();
  if (facts.status === 'Pending') return change < 0.8 ? started(facts, random) : expired(facts);
  if (facts.status === 'Expired' && !facts.isImport && change < 0.3)
    return { facts: next(facts, { status: 'Pending' }), event: interactionResumed };
  if (facts.status !== 'InProgress') return undefined;
  if (facts.isStalled) {
    if (change < 0.5) return { facts: answered(facts, random), event: interactionResumed };
    return change < 0.8 ? expired(facts) : completed(facts, random);
  }
  if (change < 0.2) return { facts: revised(facts, random), event: undefined };
  if (change < 0.6) return { facts: answered(facts, random), event: undefined };
  if (change < 0.7) return { facts: { ...facts, isStalled: true }, event: interactionStalled };
  return change < 0.85 ? expired(facts) : completed(facts, random);
}

/** Returns all states of a conversation from its creation on, with at most `changesMax` changes. */
export function historyOf(random: Random, changesMax: number): ConversationFacts[] {
  const history = [createConversation(random).facts];
  while (history.length <= changesMax) {
    const [latest] = history.slice(-1);
    const change = latest && changeOf(latest, random);
    if (!change) break;
    history.push(change.facts);
  }
  return history;
}

function next(facts: ConversationFacts, changed: Partial<ConversationFacts>): ConversationFacts {
  return { ...facts, ...changed, version: facts.version + 1 };
}

function started(facts: ConversationFacts, random: Random): Change {
  const startedAt = facts.startedAt ?? new Date((facts.createdAt?.getTime() ?? 0) + dayMs * random());
  const botVersion = facts.botVersion ?? pick(random, [1, 2, 3]);
  const [first = ''] = stepIds;
  const shown = facts.steps.length > 0 ? {} : { steps: [shownStep(first)], lastStepId: first };
  return {
    facts: next(facts, { ...shown, status: 'InProgress', startedAt, botVersion }),
    event: interactionStarted,
  };
}

function answered(facts: ConversationFacts, random: Random): ConversationFacts {
  const outcome = random() < 0.85 ? 'Answered' : 'Skipped';
  const steps = facts.steps.map((step) =>
    step.stepId === facts.lastStepId ? ({ ...step, outcome } as const) : step,
  );
  const following = stepIds[facts.steps.length];
  const shown = following === undefined ? steps : [...steps, shownStep(following)];
  return next(facts, {
    isStalled: false,
    steps: shown,
    lastStepId: following ?? facts.lastStepId,
    ways: waysThrough(shown),
    evaluation: evaluated(facts.evaluation, random),
  });
}

/** Changes an answer: steps and values behind it are off the path, and another step may come. */
function revised(facts: ConversationFacts, random: Random): ConversationFacts {
  const at = Math.floor(facts.steps.length * random());
  const kept = facts.steps.slice(0, at + 1).map((step) => ({ ...step, outcome: 'Answered' }) as const);
  const others = stepIds.filter((stepId) => !kept.some((step) => step.stepId === stepId));
  const following = random() < 0.8 && others.length > 0 ? pick(random, others) : undefined;
  const steps = following === undefined ? kept : [...kept, shownStep(following)];
  return next(facts, {
    steps,
    lastStepId: steps.at(-1)?.stepId ?? '',
    ways: waysThrough(steps),
    evaluation: evaluated(
      facts.evaluation.filter(() => random() < 0.6),
      random,
    ),
  });
}

function waysThrough(steps: readonly StepFact[]): WayFact[] {
  return steps.slice(1).map(({ stepId }, at) => ({ fromStepId: steps[at]?.stepId ?? '', toStepId: stepId }));
}

function shownStep(stepId: string): StepFact {
  return { stepId, outcome: 'OUTCOME_UNSPECIFIED' };
}

/** Returns an evaluation with a value of a random key. */
function evaluated(evaluation: readonly EvaluationFact[], random: Random): EvaluationFact[] {
  const score = String(Math.floor(11 * random()));
  const fact = pick<EvaluationFact>(random, [
    { key: 'nps', kind: Kind.Nps, values: [score] },
    { key: 'age', kind: Kind.Number, values: [`${score}.5`] },
    { key: 'plan', kind: Kind.Choice, values: [pick(random, ['basic', 'a/b', ''])] },
    // Own words count as `other`.
    {
      key: 'topics',
      kind: Kind.MultiChoice,
      values: ['price', 'speed', 'other'].filter(() => random() < 0.5),
    },
    { key: 'source', kind: Kind.Choice, values: [pick(random, ['web', 'other'])] },
    { key: 'order', kind: Kind.Ranking, values: ranked(random, ['a', 'b/c', 'd']) },
    {
      key: 'rates',
      kind: Kind.Matrix,
      values: ['speed', 'price'].flatMap((row) => (random() < 0.7 ? `${row}/${score}` : [])),
    },
    { key: 'agreed', kind: Kind.Consent, values: [pick(random, ['yes', 'no'])] },
    texts,
  ]);
  return [...evaluation.filter(({ key }) => key !== fact.key), fact];
}

/** Puts some of the values in an order. */
function ranked(random: Random, values: readonly string[]): string[] {
  const placed = values.filter(() => random() < 0.8).map((value) => ({ value, place: random() }));
  return placed
    .toSorted((one, other) => one.place - other.place)
    .map(({ value }, at) => `${at + 1}/${value}`);
}

function expired(facts: ConversationFacts): Change {
  return { facts: next(facts, { status: 'Expired', isStalled: false }), event: interactionExpired };
}

function completed(facts: ConversationFacts, random: Random): Change {
  const seconds = Math.floor(10_000 * random());
  const completedAt = new Date((facts.startedAt?.getTime() ?? 0) + 1_000 * seconds);
  const over = { status: 'Completed', isStalled: false, completedAt, activeSeconds: seconds / 2 } as const;
  return { facts: next(answered(facts, random), over), event: interactionCompleted };
}

/** Returns what the counters must have: the sum of what each interaction adds. */
export function recount(all: Iterable<ConversationFacts>): Counts {
  const counts: Counts = {};
  for (const facts of all) {
    const hour = facts.createdAt?.toISOString().slice(0, 13);
    for (const [name, n] of Object.entries(countsOf(facts))) {
      const key = `${facts.botId} ${facts.botVersion ?? 0} ${hour} ${name}`;
      counts[key] = (counts[key] ?? 0) + n;
    }
  }
  return counts;
}
