import { findChromium } from '@parley/testing/servers/chromium';
import type { ChromiumEdition } from '@parley/testing/servers/chromium-fetch';
import { chromiumFlags } from '@parley/testing/servers/chromium-flags';
import { type BrowserServer, chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    chromium: Record<ChromiumEdition, string>;
  }
}

/**
 * One Chromium of each edition for all browser tests: each test has a context of its own in one of them.
 *
 * @public the test runner calls it
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [shell, full] = [await launch('shell'), await launch('full')];
  project.provide('chromium', { shell: shell.wsEndpoint(), full: full.wsEndpoint() });
  return async () => {
    await Promise.all([shell.close(), full.close()]);
  };
}

async function launch(edition: ChromiumEdition): Promise<BrowserServer> {
  const say = (line: string): void => console.error(`browser ${line}`);
  const executablePath = await findChromium(process.env, say, edition);
  const launchWith = (chromiumSandbox: boolean): Promise<BrowserServer> =>
    chromium.launchServer({ executablePath, args: [...chromiumFlags[edition]], chromiumSandbox });
  // Its sandbox requires an ordinary user, which not every system has.
  const isRoot = process.getuid?.() === 0;
  return isRoot ? launchWith(false) : launchWith(true).catch(() => launchWith(false));
}
