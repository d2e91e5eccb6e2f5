/**
 * Added to Playwright's flags. Chromium connects to the pages of the tests only. The last three save processes: its
 * start takes most of the time of a page, and no page has a frame of another site.
 */
export const chromiumFlags: readonly string[] = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--in-process-gpu',
  '--disable-site-isolation-trials',
  '--renderer-process-limit=1',
];
