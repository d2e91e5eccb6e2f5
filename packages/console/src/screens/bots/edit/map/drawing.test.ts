import { templateIds, templateOf } from '@parley/bot/templates';
import { describe, expect, test } from 'vitest';
import { de } from '../../../../texts/de/de.ts';
import { en } from '../../../../texts/en/en.ts';
import { readSteps, type StepList } from '../steps/fields/step-list.ts';
import { type Drawing, drawingOf } from './drawing.ts';
import { graphOf, wayKey } from './graph.ts';
import type { Box, Point } from './layout.ts';

function listOf(definition: unknown): StepList {
  const list = readSteps(JSON.stringify(definition));
  if (!list) throw new Error('it has steps');
  return list;
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

/** Returns the pairs of steps and words of ways that overlap. */
function overlaps({ steps, ways }: Drawing): unknown[] {
  const boxes = [
    ...steps.map(({ title, box }) => ({ name: title, box })),
    ...ways.flatMap(({ words, label }) => (label ? [{ name: words?.text, box: label }] : [])),
  ];
  return boxes.flatMap((one, index) =>
    boxes.slice(index + 1).flatMap((other) => (overlap(one.box, other.box) ? [[one.name, other.name]] : [])),
  );
}

/** Returns the ids of all steps and the names of all ways. */
function figuredIn({ steps }: StepList): string[] {
  const ids = steps.map(({ id }) => String(id));
  return [...ids, ...graphOf(steps).ways.map(({ from, to }) => wayKey(ids[from] ?? '', ids[to] ?? ''))];
}

/** Returns how far a point is from a box. */
function distance({ x, y }: Point, box: Box): number {
  const beside = Math.max(box.x - x, 0, x - box.x - box.width);
  const above = Math.max(box.y - y, 0, y - box.y - box.height);
  return Math.hypot(beside, above);
}

describe.each(templateIds)('the template %s', (id) => {
  test.each(['en', 'de'] as const)(
    'has each step and each way in its map, and nothing overlaps: %s',
    (locale) => {
      const list = listOf(templateOf(id, locale)?.definition);
      const words = { en, de }[locale];
      const drawing = drawingOf(words, locale, list, figuredIn(list));
      const { ways } = graphOf(list.steps);
      expect(drawing.steps.map((step) => step.id)).toEqual(list.steps.map((step) => step['id']));
      expect(drawing.ways.map(({ from, to, kind }) => [from, to, kind])).toEqual(
        ways.map(({ from, to, kind }) => [from, to, kind]),
      );
      expect(overlaps(drawing)).toEqual([]);
      expect(drawing.steps.every(({ isReached }) => isReached)).toBe(true);
      for (const { words: said, hasFigures, label } of drawing.ways)
        expect(label !== undefined).toBe(said !== undefined || hasFigures);
      // A condition is said in the words of the questions.
      const said = drawing.ways.flatMap(({ kind, words: label }) => (kind === 'if' ? [label?.text] : []));
      expect(said.filter((text) => text === undefined || /answers\./.test(text))).toEqual([]);
    },
  );
});

test('a way begins at the border of its step and ends at the border of the other one, also one back to itself', () => {
  const again = { if: "answers.q == 'x'", goto: 'q' };
  const drawing = drawingOf(
    en,
    'en',
    listOf({
      steps: [
        { id: 'q', kind: 'ask', text: 'What?', input: { type: 'text' }, next: [again, { else: 'r' }] },
        { id: 'r', kind: 'ask', text: 'And?', input: { type: 'text' }, next: [again, { else: 'end' }] },
        { id: 'end', kind: 'end' },
      ],
    }),
  );
  expect(drawing.ways).toHaveLength(4);
  for (const { from, to, points } of drawing.ways) {
    const [first = { x: NaN, y: NaN }] = points;
    const last = points.at(-1) ?? first;
    expect(distance(first, drawing.steps[from]?.box ?? { x: 0, y: 0, width: 0, height: 0 })).toBeLessThan(2);
    expect(distance(last, drawing.steps[to]?.box ?? { x: 0, y: 0, width: 0, height: 0 })).toBeLessThan(2);
  }
});

test('a step has its words, its condition, where it leads, and whether it is reached', () => {
  const list = listOf({
    locale: 'de',
    evaluation: { nps_segment: {} },
    steps: [
      {
        id: 'q',
        kind: 'ask',
        text: { en: 'How?', de: 'Wie, {{customer.firstName}}?' },
        input: { type: 'nps' },
      },
      { id: 's', kind: 'set', evaluation: { nps_segment: "'x'" }, next: 'end' },
      { id: 'l', kind: 'llm', mode: 'summarise', prompt: 'Sum up', when: 'answers.q < 7' },
      { id: 'end', kind: 'end' },
    ],
  });
  const { steps, ways } = drawingOf(en, 'en', list, ['q', 'q/s', 'l/end']);
  expect(
    ways.map(({ words, hasFigures, isOneOfSeveral }) => [words?.text, hasFigures, isOneOfSeveral]),
  ).toEqual([
    [undefined, true, false],
    [undefined, false, false],
    [undefined, true, true],
    ['Left out', false, true],
  ]);
  expect(steps).toMatchObject([
    {
      title: '1. Recommendation, 0 to 10 (NPS)',
      says: { text: 'Wie, ‹first name›?', lines: 1 },
      picture: 'scale',
      hasFigures: true,
      isReached: true,
      leads: [{ way: 0, words: 'Then: 2. Calculation' }],
    },
    {
      title: '2. Calculation',
      says: { text: 'NPS segment' },
      leads: [{ way: 1, words: 'Then: 4. End' }],
      hasFigures: false,
    },
    {
      title: '3. Model: summarise',
      says: { text: 'Sum up' },
      condition: { text: 'Only if: “Wie, ‹first name›?” is less than 7', lines: 2 },
      isReached: false,
      leads: [
        { way: 2, words: 'Then: 4. End' },
        { way: 3, words: 'Left out: 4. End' },
      ],
    },
    { title: '4. End', says: undefined, leads: [], isReached: true },
  ]);
});

test('a map of many steps, and one of none, is drawn', () => {
  const steps = Array.from({ length: 60 }, (_, index) => ({
    id: `s${index}`,
    kind: 'ask',
    text: `Question ${index}?`,
    input: { type: 'rating', max: 5 },
    ...(index < 58 && {
      next: [{ if: `answers.s${index} >= 4`, goto: `s${index + 2}` }, { else: `s${index + 1}` }],
    }),
  }));
  const drawing = drawingOf(en, 'en', listOf({ steps: [...steps, { id: 'end', kind: 'end' }] }));
  expect(drawing.steps).toHaveLength(61);
  expect(drawing.ways).toHaveLength(118);
  expect(overlaps(drawing)).toEqual([]);
  expect(drawingOf(en, 'en', listOf({ steps: [] }))).toEqual({ width: 0, height: 0, steps: [], ways: [] });
});
