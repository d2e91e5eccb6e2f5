import { expect, test } from 'vitest';
import { draft, samples, valid } from '../../tests/definitions.ts';
import { planOf } from '../plan/plan.ts';

const ask = (id: string, more: object = {}) => ({
  id,
  kind: 'ask',
  text: id,
  input: { type: 'number' },
  ...more,
});
const end = { id: 'end', kind: 'end' };

test('the effort is that of the shortest and the longest path, which takes no step twice', () => {
  const steps = [
    ask('a', { next: [{ if: 'answers.a > 1', goto: 'end' }, { else: 'b' }] }),
    ask('b', { when: 'answers.a > 0' }),
    ask('c', { next: [{ if: 'answers.c > 1', goto: 'a' }, { else: 'end' }] }),
    end,
  ];
  expect(planOf(valid(draft(steps))).effort).toEqual({ questionsMin: 1, questionsMax: 3, minutes: 1 });
});

test('a way back is no end of a path', () => {
  const questions = ['q1', 'q2', 'q3'].map((id) => ask(id));
  const steps = [
    ask('menu', { next: [{ if: 'answers.menu > 1', goto: 'help' }, { else: 'q1' }] }),
    ...questions,
    { id: 'bye', kind: 'say', text: 'Bye', next: [{ else: 'end' }] },
    { id: 'help', kind: 'say', text: 'Help', next: [{ else: 'menu' }] },
    end,
  ];
  expect(planOf(valid(draft(steps))).effort).toMatchObject({ questionsMin: 4, questionsMax: 4 });
});

test('the minutes grow with the questions and with what they ask for', () => {
  const asks = (input: object) => Array.from({ length: 20 }, (_, n) => ask(`q${n}`, { input }));
  const minutesOf = (input: object) => planOf(valid(draft([...asks(input), end]))).effort.minutes;
  expect(minutesOf({ type: 'nps' })).toBe(3);
  expect(minutesOf({ type: 'email' })).toBe(5);
  expect(minutesOf({ type: 'longText' })).toBe(13);
});

test('a bot without questions takes no answer, and a minute at most', () => {
  expect(planOf(valid(draft([end]))).effort).toEqual({ questionsMin: 0, questionsMax: 0, minutes: 1 });
});

test('the sample bots take a few minutes', () => {
  expect(samples.map((sample) => planOf(sample).effort)).toEqual([
    { questionsMin: 2, questionsMax: 4, minutes: 1 },
    { questionsMin: 1, questionsMax: 6, minutes: 1 },
    { questionsMin: 2, questionsMax: 5, minutes: 1 },
    { questionsMin: 5, questionsMax: 6, minutes: 2 },
  ]);
});
