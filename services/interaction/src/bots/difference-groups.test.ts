import type { CourseDiff } from '@parley/bot/replay';
import { expect, test } from 'vitest';
import { DifferenceGroups } from './difference-groups.ts';

const course = { stepIds: ['score'], endStepId: 'bye', evaluation: {}, stopped: null, heard: [] };
const diffOf = (more: Partial<CourseDiff>): CourseDiff => ({
  before: course,
  after: course,
  takesAnotherWay: false,
  endsDifferently: false,
  evaluation: [],
  texts: [],
  ...more,
});
const message = {
  stepIds: ['score'],
  endStepId: 'bye',
  stoppedAt: undefined,
  stoppedBecause: 'REASON_UNSPECIFIED' as const,
};
const newest = (interactionId: string) => ({
  interactionId,
  botVersion: 1,
  completedAt: new Date(0),
  before: message,
  after: message,
  takesAnotherWay: false,
  endsDifferently: false,
  evaluationKeys: [],
  hearsAnotherText: false,
});

test('equal cases are one, whatever the names in their texts, and the most frequent come first', () => {
  const groups = new DifferenceGroups();
  const greeting = (name: string) =>
    diffOf({ texts: [{ stepId: 'score', before: `Hi ${name}`, after: `Dear ${name}` }] });
  const segment = (after: string) => diffOf({ evaluation: [{ key: 'segment', before: 'promoter', after }] });
  groups.add(segment('passive'), newest('a'));
  for (const [index, name] of ['Ada', 'Grace', 'Eve'].entries())
    groups.add(greeting(name), newest(`b${index}`));
  groups.add(segment('detractor'), newest('c'));
  const lost = (before: string) => diffOf({ evaluation: [{ key: 'why', before, after: null }] });
  groups.add(lost('Cold'), newest('d'));
  groups.add(lost('Late'), newest('e'));
  expect(groups.list().map((group) => [group.count, group.newest?.interactionId])).toEqual([
    [3, 'b0'],
    [2, 'd'],
    [1, 'a'],
    [1, 'c'],
  ]);
});

test('long texts are cut around their difference, and no character is halved', () => {
  const groups = new DifferenceGroups();
  const same = '😀'.repeat(1_000);
  groups.add(
    diffOf({ texts: [{ stepId: null, before: `${same}before`, after: `${same}after` }] }),
    newest('a'),
  );
  const [text] = groups.list()[0]?.texts ?? [];
  expect([text?.before, text?.after]).toEqual([`…${'😀'.repeat(20)}before`, `…${'😀'.repeat(20)}after`]);
  expect(text?.stepId).toBeUndefined();
});
