import type { Insight } from '@parley/client';
import { expect, test } from 'vitest';
import { de } from '../../../../texts/de/de.ts';
import { en } from '../../../../texts/en/en.ts';
import { readSteps } from '../steps/fields/step-list.ts';
import { drawingOf } from './drawing.ts';
import { figuredOf, figuresOfWays, leadsOf } from './figures.ts';

const list = readSteps(
  JSON.stringify({
    steps: [
      {
        id: 'q',
        kind: 'ask',
        text: 'How?',
        input: { type: 'nps' },
        next: [
          { if: 'answers.q > 8', goto: 'end' },
          { if: 'answers.q < 3', goto: 'end' },
          { if: 'answers.q == 5', goto: 'q' },
          { else: 'new' },
        ],
      },
      { id: 'new', kind: 'say', text: 'New.' },
      { id: 'end', kind: 'end' },
    ],
  }),
);
const at = '2026-11-21T09:30:00.000000';
const times = { n: 0, medianSeconds: null, p90Seconds: null };
const counts = { created: 1, started: 0, completed: 0, expired: 0, stalled: 0, active: 0 };
const insight: Insight = {
  bot: { id: '1', key: 'b', name: 'B' },
  from: at,
  to: at,
  asOf: at,
  totals: { ...counts, startRate: null, completionRate: null, timeToComplete: times, activeSeconds: times },
  steps: [],
  evaluation: {},
  days: [],
  ways: [
    { from: 'q', to: 'q', n: 500 },
    { from: 'q', to: 'end', n: 1_500 },
    { from: 'new', to: 'end', n: 3 },
    { from: 'gone', to: 'end', n: 7 },
  ],
};

test('a way has how many took it and their share; ways between the same steps have it together, others none', () => {
  if (!list) throw new Error('it has steps');
  const figured = figuredOf(insight);
  const inEnglish = drawingOf(en, 'en', list, figured);
  const figures = figuresOfWays(en, 'en', inEnglish, insight);
  const [toEnd, alsoToEnd, again, toNew, fromNew] = figures;
  expect(toEnd).toEqual({ shown: '1,500 (75%) together', said: 'taken by 1,500 (75%) together' });
  expect([alsoToEnd, toNew]).toEqual([undefined, undefined]);
  expect(fromNew).toEqual({ shown: '3', said: 'taken by 3' });
  expect(again?.shown).toBe('500 (25%)');
  expect(inEnglish.steps.map((step) => leadsOf(step, figures))).toEqual([
    'Is more than 8: 3. End, taken by 1,500 (75%) together; Is less than 3: 3. End; ' +
      'Is 5: 1. How?, taken by 500 (25%); Otherwise: 2. New.',
    'Then: 3. End, taken by 3',
    '',
  ]);
  const inGerman = figuresOfWays(de, 'de', drawingOf(de, 'de', list, figured), insight);
  expect(inGerman[0]?.said).toBe('genommen von 1.500 (75\u00a0%) zusammen');
});

test('nothing is said about ways without figures', () => {
  if (!list) throw new Error('it has steps');
  expect(figuredOf(undefined)).toEqual([]);
  const drawing = drawingOf(en, 'en', list);
  expect(figuresOfWays(en, 'en', drawing, undefined)).toEqual(drawing.ways.map(() => undefined));
  const { ways: _ways, ...before } = insight;
  expect(figuredOf(before)).toEqual([]);
});
