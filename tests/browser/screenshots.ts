import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, expectFitting } from './inspect.ts';
import { desktop, narrow, phone, type Tab } from './tab.ts';

export const pictures: string = resolve(import.meta.dirname, '../../test-output/screenshots');

const sizes = { desktop, phone, narrow };
type Window = keyof typeof sizes;

export interface Look {
  /** The windows that it must fit. Default: the widest and the narrowest. */
  windows?: readonly Window[];
  /** The windows in which axe checks it. Default: the narrowest. */
  inspected?: readonly Window[];
}

/** For a screen with another layout in a narrow window. */
export const everywhere: Look = { windows: ['desktop', 'phone', 'narrow'], inspected: ['desktop', 'narrow'] };

/** For a question whose choices have less room on a phone than on a desktop, but one row as well. */
export const inOneRow: Look = { windows: ['desktop', 'phone', 'narrow'] };

/** For a screen that differs from another one only in its colours. */
export const coloursOnly: Look = { windows: ['desktop'], inspected: ['desktop'] };

/** Fails unless the current screen fits its windows and is accessible. Saves a picture of each window. */
export async function lookAt(
  name: string,
  { page, faults }: Pick<Tab, 'page' | 'faults'>,
  { windows = ['desktop', 'narrow'], inspected = ['narrow'] }: Look = {},
): Promise<void> {
  for (const window of windows) {
    await page.setViewportSize(sizes[window]);
    await settled(page);
    await page.screenshot({ path: join(pictures, `${name}-${window}.png`) });
    await (inspected.includes(window) ? expectAccessible(page) : expectFitting(page));
  }
  const isExpected = (fault: string): boolean => /Failed to load resource/.test(fault);
  expect(faults.filter((fault) => !isExpected(fault))).toEqual([]);
}

/** Two frames after a change of the window the layout is complete. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
