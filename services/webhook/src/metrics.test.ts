import { expect, test } from 'vitest';
import { errorLabel } from './metrics.ts';

test('statuses that no specification has share a label', () => {
  const errors = ['http_404', 'http_503', 'timeout_total', 'http_299', 'http_799'];
  expect(errors.map(errorLabel)).toEqual([
    'http_404',
    'http_503',
    'timeout_total',
    'http_other',
    'http_other',
  ]);
});
