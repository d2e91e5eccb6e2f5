import { expect, test } from 'vitest';
import { addHistogram, histograms } from './histograms.ts';

const declared = { name: 'of.a.test', unit: 's', description: 'Of a test', boundaries: [1, 10] };

test('measurements with the same attributes are one series, whatever their order', () => {
  const record = addHistogram({ ...declared, attributes: ['way', 'status'] });
  record(1, { way: 'a', status: 200 });
  record(2, { status: 200, way: 'a' });
  record(4, { status: 200 });
  record(8, { way: 'a' });
  const seen = [...(histograms().at(-1)?.series() ?? [])].map(({ attributes, sum, count }) => ({
    attributes,
    sum,
    count,
  }));
  expect(seen).toEqual([
    { attributes: { way: 'a', status: 200 }, sum: 3, count: 2 },
    { attributes: { status: 200 }, sum: 4, count: 1 },
    { attributes: { way: 'a' }, sum: 8, count: 1 },
  ]);
});

test('a bucket includes its upper bound, and the last one has none', () => {
  const record = addHistogram(declared);
  for (const value of [0, 1, 1.001, 10, 10.001, Infinity]) record(value, {});
  const [series] = histograms().at(-1)?.series() ?? [];
  expect(series?.counts).toEqual([2, 2, 2]);
});
