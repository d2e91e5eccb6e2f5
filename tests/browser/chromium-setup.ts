import { findChromium } from '@parley/testing/chromium';
import { chromiumFlags } from '@parley/testing/chromium-flags';
import { type BrowserServer, chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the run's Chromium. */
    chromium: string;
  }
}

/**
 * One Chromium for all browser tests: each has a context of its own in it.
 *
 * @public the test runner calls it
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const say = (line: string): void => console.error(`browser ${line}`);
  const executablePath = await findChromium(process.env, say);
  const launch = (chromiumSandbox: boolean): Promise<BrowserServer> =>
    chromium.launchServer({ executablePath, args: [...chromiumFlags], chromiumSandbox });
  // Its sandbox requires an ordinary user, which not every system has.
  const isRoot = process.getuid?.() === 0;
  const server = await (isRoot ? launch(false) : launch(true).catch(() => launch(false)));
  project.provide('chromium', server.wsEndpoint());
  return () => server.close();
}
