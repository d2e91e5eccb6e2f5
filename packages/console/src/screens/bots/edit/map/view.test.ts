import { expect, test } from 'vitest';
import { firstView, stepByKey, viewWith } from './view.ts';

const window = { width: 800, height: 600 };
const first = { x: 300, y: 0, width: 200, height: 100 };

test('a small map is shown whole, at the top and at most at full size', () => {
  expect(firstView(window, { width: 400, height: 300 }, first)).toEqual({ x: 200, y: 24, zoom: 1 });
  const { zoom } = firstView(window, { width: 800, height: 600 }, first);
  expect(zoom).toBeCloseTo(0.92);
});

test('a large map begins with its first step at the top, or with the step that is opened, and can be read', () => {
  const map = { width: 4000, height: 9000 };
  expect(firstView(window, map, first)).toEqual({ x: 24, y: 24, zoom: 0.75 });
  const opened = { ...first, x: 2000, y: 5000 };
  expect(firstView(window, map, opened)).toEqual({ x: 400 - 2100 * 0.75, y: 300 - 5050 * 0.75, zoom: 0.75 });
  const last = firstView(window, map, { ...first, x: 3800, y: 8900 });
  expect(last).toEqual({ x: 800 - 3000 - 24, y: 600 - 6750 - 24, zoom: 0.75 });
  expect(firstView(window, { ...map, width: 500 }, first)).toEqual({ x: 150, y: 24, zoom: 1 });
});

test('a view moves only to a step that is not in it', () => {
  const view = { x: 0, y: 0, zoom: 1 };
  expect(viewWith(view, window, first)).toBe(view);
  expect(viewWith(view, window, { ...first, y: 550 })).toEqual({ x: 0, y: -300, zoom: 1 });
  expect(viewWith({ ...view, x: -400 }, window, first)).toEqual({ x: 0, y: 250, zoom: 1 });
});

test('arrow keys lead along the list, and stay at its ends', () => {
  const keys = ['ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowLeft', 'Home', 'End', 'Tab'];
  expect(keys.map((key) => stepByKey(key, 1, 4))).toEqual([2, 2, 0, 0, 0, 3, undefined]);
  expect([stepByKey('ArrowDown', 3, 4), stepByKey('ArrowUp', 0, 4)]).toEqual([3, 0]);
});
