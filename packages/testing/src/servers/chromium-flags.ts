import type { ChromiumEdition } from './chromium-fetch.ts';

/** Chromium connects to the pages of the tests only. */
const quietFlags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** These save processes, whose start takes most of the time of a page. Frames of other sites have no process then. */
const thriftyFlags = ['--in-process-gpu', '--disable-site-isolation-trials', '--renderer-process-limit=1'];

/** Added to Playwright's flags. The full edition behaves as the browser of people. */
export const chromiumFlags: Readonly<Record<ChromiumEdition, readonly string[]>> = {
  shell: [...quietFlags, ...thriftyFlags],
  full: quietFlags,
};
