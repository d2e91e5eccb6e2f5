import { expect, test } from 'vitest';
import { order } from '../../tests/order.ts';
import { samples } from '../../tests/definitions.ts';
import { outlineOf } from './outline.ts';

test('the outline shows what leads to each step, and when', () => {
  const [nps] = samples;
  if (nps === undefined) throw new Error('there are samples');
  const outline = new Map(outlineOf(nps).map((step) => [step.id, step]));
  expect(outline.get('segment')).toEqual({
    id: 'segment',
    kind: 'set',
    text: 'nps_segment',
    from: ['score'],
    ways: [
      { to: 'delighted', when: 'if answers.score >= 9' },
      { to: 'pleased', when: 'if answers.score >= 7' },
      { to: 'sorry', when: 'else' },
    ],
    isReached: true,
  });
  expect(outline.get('why')?.from).toEqual(['delighted', 'pleased', 'sorry']);
  expect(outline.get('contact')?.ways).toContainEqual({ to: 'bye', when: 'without a valid answer' });
  expect(outline.get('theme')?.ways).toEqual([
    { to: 'after_reason', when: '' },
    { to: 'unclassified', when: 'without an answer of the model' },
    { to: 'after_reason', when: 'unless has(answers.why)' },
  ]);
  expect(outline.get('bye')?.ways).toEqual([]);
});

test('every way leads to a step that names it, in all bots', () => {
  for (const bot of [...samples, order]) {
    const outline = outlineOf(bot);
    const ways = outline.flatMap(({ id, ways: all }) => all.map(({ to }) => `${id} ${to}`));
    const back = outline.flatMap(({ id, from }) => from.map((one) => `${one} ${id}`));
    expect(new Set(back)).toEqual(new Set(ways));
    expect(outline.every(({ isReached }) => isReached)).toBe(true);
  }
});
