import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, expectFitting } from './inspect.ts';
import { desktop, narrow, phone, type Tab } from './tab.ts';

/** The folder of the pictures. */
export const pictures: string = resolve(import.meta.dirname, '../../test-output/screenshots');

/**
 * Fails unless the current screen fits three windows, and is accessible in the widest and the narrowest. Saves a
 * picture of each.
 */
export async function lookAt(name: string, { page, faults }: Pick<Tab, 'page' | 'faults'>): Promise<void> {
  for (const [window, size] of Object.entries({ desktop, phone, narrow })) {
    await page.setViewportSize(size);
    await settled(page);
    await page.screenshot({ path: join(pictures, `${name}-${window}.png`) });
    await (window === 'phone' ? expectFitting(page) : expectAccessible(page));
  }
  const isExpected = (fault: string): boolean => /Failed to load resource/.test(fault);
  expect(faults.filter((fault) => !isExpected(fault))).toEqual([]);
}

/** Two frames after a change of the window the layout is complete. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
