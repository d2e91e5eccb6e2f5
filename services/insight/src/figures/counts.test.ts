import type { ConversationFacts } from '@parley/contracts/interaction/v1/facts';
import { expect, test } from 'vitest';
import { bucketOf } from './counters.ts';
import { countsOf } from './counts.ts';

const pending: ConversationFacts = {
  workspaceId: '',
  interactionId: '',
  botId: '',
  status: 'Pending',
  version: 1,
  isStalled: false,
  isUnknown: false,
  isImport: false,
  createdAt: new Date(0),
  startedAt: null,
  completedAt: null,
  steps: [],
  lastStepId: '',
  ways: [],
  evaluation: [],
};
const shown: ConversationFacts = {
  ...pending,
  status: 'InProgress',
  botVersion: 1,
  startedAt: new Date(0),
  steps: [{ stepId: 'score', outcome: 'OUTCOME_UNSPECIFIED' }],
  lastStepId: 'score',
};
const answered: ConversationFacts = {
  ...shown,
  steps: [
    { stepId: 'score', outcome: 'Answered' },
    { stepId: 'why', outcome: 'Skipped' },
    { stepId: 'plan', outcome: 'OUTCOME_UNSPECIFIED' },
  ],
  lastStepId: 'plan',
  ways: [
    { fromStepId: 'score', toStepId: 'why' },
    { fromStepId: 'why', toStepId: 'plan' },
  ],
  evaluation: [
    { key: 'nps', kind: 'Nps', values: ['9'] },
    { key: 'topics', kind: 'MultiChoice', values: ['price', 'a/b'] },
    { key: 'email', kind: 'KIND_UNSPECIFIED', values: [] },
  ],
};

const namesOf = (facts: ConversationFacts): string[] => Object.keys(countsOf(facts));

test('an import and a test count as nothing, and an interaction without answers only as created', () => {
  expect(namesOf({ ...answered, status: 'Completed', isImport: true })).toEqual([]);
  expect(namesOf({ ...answered, status: 'Completed', isTest: true })).toEqual([]);
  expect(namesOf(pending)).toEqual(['created']);
  expect(namesOf(shown)).toEqual(['created', 'step/seen/score']);
});

test('a started interaction counts in one state, with its steps, its ways and the values of its evaluation', () => {
  expect(countsOf(answered)).toEqual({
    created: 1,
    started: 1,
    active: 1,
    'step/seen/score': 1,
    'step/answered/score': 1,
    'step/seen/why': 1,
    'step/skipped/why': 1,
    'step/seen/plan': 1,
    'way/score/why': 1,
    'way/why/plan': 1,
    'has/Nps/nps': 1,
    'value/Nps/nps/9': 1,
    'has/MultiChoice/topics': 1,
    'value/MultiChoice/topics/price': 1,
    'value/MultiChoice/topics/a/b': 1,
    'has/KIND_UNSPECIFIED/email': 1,
  });
});

test('a conversation drops at the last step shown when it has stalled or expired, also before an answer', () => {
  expect(namesOf({ ...answered, isStalled: true })).toEqual(
    expect.arrayContaining(['stalled', 'step/dropped/plan']),
  );
  expect(namesOf({ ...answered, status: 'Expired' })).toEqual(
    expect.arrayContaining(['expired', 'step/dropped/plan']),
  );
  expect(namesOf({ ...shown, status: 'Expired' })).toEqual([
    'created',
    'step/seen/score',
    'step/dropped/score',
  ]);
});

test('one that was reopened is active and drops nowhere', () => {
  expect(namesOf({ ...answered, status: 'Pending' })).toContain('active');
  expect(namesOf({ ...answered, status: 'Pending' })).not.toContain('step/dropped/plan');
});

test('a completion counts in the buckets of its two times', () => {
  const completedAt = new Date(7_200_000);
  const completed = countsOf({ ...answered, status: 'Completed', completedAt, activeSeconds: 90 });
  expect(completed).toMatchObject({
    completed: 1,
    [`time/elapsed/${bucketOf(7_200)}`]: 1,
    [`time/attended/${bucketOf(90)}`]: 1,
  });
});
