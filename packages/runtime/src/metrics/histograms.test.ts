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

test('NaN and negative values are left out, so the sum stays a number', () => {
  const record = addHistogram(declared);
  for (const value of [1, NaN, -1]) record(value, {});
  const [series] = histograms().at(-1)?.series() ?? [];
  expect(series).toMatchObject({ counts: [1, 0, 0], count: 1, sum: 1 });
});

test('at 2,000 series the last one counts all further attributes', () => {
  const record = addHistogram({ ...declared, attributes: ['way'] });
  for (let way = 0; way < 3_000; way += 1) record(1, { way });
  record(1, { way: 0 });
  const series = [...(histograms().at(-1)?.series() ?? [])];
  expect(series).toHaveLength(2_000);
  expect(series[0]).toMatchObject({ attributes: { way: 0 }, count: 2 });
  expect(series.at(-1)).toMatchObject({ attributes: { 'otel.metric.overflow': true }, count: 1_001 });
});
