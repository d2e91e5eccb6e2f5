import { expect, test } from 'vitest';
import { allRows, loadedRows } from './printing.ts';

const load = async (first: number, last: number): Promise<number[]> =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

test.each([undefined, 0, 1, 200, 201, 450])(
  'all rows of a list of %s are printed, each once',
  async (total) => {
    const rows = await allRows({ total, load });
    expect(rows).toEqual(Array.from({ length: total ?? 0 }, (_, at) => at));
  },
);

test('a list is printed up to its limit', async () => {
  expect(await allRows({ total: 100_000, load })).toHaveLength(2_000);
});

test('without time to load them, the loaded rows are printed', () => {
  const at = (index: number): string | undefined => (index % 2 === 0 ? `row ${index}` : undefined);
  expect(loadedRows({ total: 5, at })).toEqual(['row 0', 'row 2', 'row 4']);
});
