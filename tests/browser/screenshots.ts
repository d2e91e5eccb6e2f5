import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { contrastRule, expectAccessible, expectFitting } from './inspect.ts';
import { desktop, narrow, phone, type Tab } from './tab.ts';

export const pictures: string = resolve(import.meta.dirname, '../../test-output/screenshots');

const sizes = { desktop, phone, narrow };
type Window = keyof typeof sizes;

export interface Look {
  /** The windows that it must fit. Default: the widest and the narrowest. */
  windows?: readonly Window[];
  /** The windows in which axe checks it, and contrasts in the first of them. Default: the narrowest. */
  inspected?: readonly Window[];
  /** The only rule that axe checks. Default: all. */
  only?: string;
}

/** For a screen with another layout in a narrow window. */
export const everywhere: Look = { windows: ['desktop', 'phone', 'narrow'], inspected: ['desktop', 'narrow'] };

/** For a question whose choices have less room on a phone than on a desktop, but one row as well. */
export const inOneRow: Look = { windows: ['desktop', 'phone', 'narrow'] };

/**
 * For a screen that differs from another one only in its colours, such as a dark one. Axe checks the contrasts of its
 * narrow layout, and the contrasts of the other one in the wide layout.
 */
export const coloursOnly: Look = { windows: ['narrow'], inspected: ['narrow'], only: contrastRule };

/** For a screen whose narrow layout has parts that the wide one does not have, and the other way round. */
export const inBothLayouts: Look = { inspected: ['desktop', 'narrow'] };

/** Fails unless the current screen fits its windows and is accessible. Saves a picture of each window. */
export async function lookAt(
  name: string,
  { page, faults }: Pick<Tab, 'page' | 'faults'>,
  { windows = ['desktop', 'narrow'], inspected = ['narrow'], only }: Look = {},
): Promise<void> {
  for (const window of windows) {
    await page.setViewportSize(sizes[window]);
    await settled(page);
    await page.screenshot({ path: join(pictures, `${name}-${window}.png`) });
    // Contrasts take most of axe's time.
    const without = window === inspected[0] ? undefined : contrastRule;
    await (inspected.includes(window) ? expectAccessible(page, { only, without }) : expectFitting(page));
  }
  const isExpected = (fault: string): boolean => /Failed to load resource/.test(fault);
  expect(faults.filter((fault) => !isExpected(fault))).toEqual([]);
}

/** Two frames after a change of the window the layout is complete. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
