import { expect, test } from 'vitest';
import { arrowOf, curveOf, layOut } from './layout.ts';

test('steps are one below the other, in the order of their ways, and labels have their own place', () => {
  const size = { width: 200, height: 60 };
  const label = { width: 100, height: 20 };
  const { steps, ways } = layOut(
    [size, size, size],
    [
      { from: 0, to: 2, label },
      { from: 2, to: 1, label: undefined },
    ],
  );
  const [first, third, second] = steps.map(({ y }) => y);
  expect([first, second, third]).toEqual(
    [first, second, third].toSorted((one = 0, other = 0) => one - other),
  );
  expect(ways.map(({ label: box }) => box && [box.width, box.height])).toEqual([[100, 20], undefined]);
});

test('steps beside each other are in the order of the list, from left to right', () => {
  const sizes = Array.from({ length: 5 }, () => ({ width: 100, height: 40 }));
  const way = (from: number, to: number) => ({ from, to, label: { width: 50, height: 20 } });
  const { steps } = layOut(sizes, [way(0, 1), way(0, 2), way(0, 3), way(1, 4), way(2, 4), way(3, 4)]);
  const [, ...branches] = steps.slice(0, 4).map(({ x }) => x);
  expect(branches).toEqual(branches.toSorted((one, other) => one - other));
});

test('ways from a step to itself are at its side, one below the other', () => {
  const label = { width: 100, height: 36 };
  const way = { from: 0, to: 0, label };
  const next = { from: 0, to: 1, label: undefined };
  const { steps, ways, width } = layOut(
    [
      { width: 200, height: 60 },
      { width: 200, height: 60 },
    ],
    [{ ...way }, { ...way }, next],
  );
  const [first, second] = ways.map(({ label: box }) => box);
  const right = (steps[0]?.x ?? 0) + 200;
  expect(first?.x).toBeGreaterThan(right);
  expect(second?.y).toBeGreaterThanOrEqual((first?.y ?? 0) + 36);
  expect((second?.y ?? 0) + 36).toBeLessThanOrEqual(steps[1]?.y ?? 0);
  expect((first?.x ?? 0) + 100).toBeLessThanOrEqual(width);
  expect(ways[0]?.points.at(-1)?.x).toBe(right);
});

test('the same steps are always at the same places, whatever was drawn before', () => {
  const sizes = Array.from({ length: 6 }, () => ({ width: 100, height: 40 }));
  const way = (from: number, to: number) => ({ from, to, label: undefined });
  const ways = [way(0, 1), way(0, 2), way(1, 3), way(2, 3), way(3, 0), way(3, 4), way(2, 5)];
  const before = layOut(sizes, ways);
  layOut(sizes.slice(2), [way(3, 2), way(2, 1)]);
  expect(layOut(sizes, ways)).toEqual(before);
});

test('a way is a curve through its points, with an arrow at its end', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 10, y: 10 },
    { x: 10, y: 30 },
    { x: 10, y: 40 },
  ];
  expect(curveOf(points)).toBe('M0,0 Q10,10 10,20 Q10,30 10,40');
  expect(curveOf(points.slice(0, 2))).toBe('M0,0 L10,10');
  expect([curveOf([]), curveOf(points.slice(0, 1)), arrowOf([])]).toEqual(['', '', '']);
  expect(arrowOf(points)).toBe('M10,40 L6,32 L14,32 Z');
});
