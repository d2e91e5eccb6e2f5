import { expect, test } from 'vitest';
import { readMetrics } from './metric-values.ts';
import { gauge, observedGauge } from './metrics.ts';

const declared = { unit: '1', description: 'Of a test' };

test('values are read although nothing records them, until they are disposed of', async () => {
  const age = observedGauge({ ...declared, name: 'of.values.age' });
  const one = age.observe((report) => report(1, { source: 'a' }));
  const other = age.observe(async (report) => report(2, { source: 'b', retry: 3 }));
  expect(await readMetrics(['of.values.age'])).toEqual([
    { metric: 'of.values.age', attributes: { source: 'a' }, value: 1 },
    { metric: 'of.values.age', attributes: { source: 'b', retry: '3' }, value: 2 },
  ]);
  one[Symbol.dispose]();
  other[Symbol.dispose]();
  expect(await readMetrics(['of.values.age', 'of.values.unknown'])).toEqual([]);
});

test('a gauge has the value that was set last, and none before', async () => {
  const up = gauge({ ...declared, name: 'of.values.up' });
  expect(await readMetrics(['of.values.up'])).toEqual([]);
  up.set(1);
  up.set(0);
  expect(await readMetrics(['of.values.up'])).toEqual([{ metric: 'of.values.up', attributes: {}, value: 0 }]);
});

test('a metric that fails, or takes over a second, has no value, and delays no other one', async () => {
  observedGauge({ ...declared, name: 'of.values.broken' }).observe(() => {
    throw new Error('broken');
  });
  observedGauge({ ...declared, name: 'of.values.rejected' }).observe(() => Promise.reject(new Error('no')));
  observedGauge({ ...declared, name: 'of.values.slow' }).observe(() => new Promise(() => {}));
  observedGauge({ ...declared, name: 'of.values.good' }).observe((report) => report(5));
  const names = ['broken', 'rejected', 'slow', 'good'].map((name) => `of.values.${name}`);
  expect(await readMetrics(names)).toEqual([{ metric: 'of.values.good', attributes: {}, value: 5 }]);
});
