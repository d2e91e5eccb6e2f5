import { onlineManager } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { whenOnline } from './online.ts';

afterEach(() => onlineManager.setOnline(true));

test('a part is loaded at once with a network, and without one when it is back', async () => {
  let loads = 0;
  const load = whenOnline(async () => ++loads);
  expect(await load()).toBe(1);
  onlineManager.setOnline(false);
  const later = load();
  await Promise.resolve();
  expect(loads).toBe(1);
  onlineManager.setOnline(true);
  expect(await later).toBe(2);
});
