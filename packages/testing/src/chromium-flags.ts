/** What Chromium is started with beside Playwright's own flags: it is to talk to nobody but the pages of the tests. */
export const chromiumFlags: readonly string[] = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
