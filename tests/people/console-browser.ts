import { findChromium } from '@parley/testing/servers/chromium';
import { chromiumFlags } from '@parley/testing/servers/chromium-flags';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

export interface Tab extends AsyncDisposable {
  page: Page;
  context: BrowserContext;
}

/** Starts a Chromium. The stack ends it. */
export async function startChromium(stack: AsyncDisposableStack): Promise<() => Promise<Tab>> {
  // The policies of a shell for cookies and other origins differ from a browser's.
  const executablePath = await findChromium(process.env, () => {}, 'full');
  const args = [...chromiumFlags.full];
  const launch = (chromiumSandbox: boolean): Promise<Browser> =>
    chromium.launch({ executablePath, args, chromiumSandbox });
  // Its sandbox requires an ordinary user, which not every system has.
  const isRoot = process.getuid?.() === 0;
  const browser = await (isRoot ? launch(false) : launch(true).catch(() => launch(false)));
  stack.defer(() => browser.close());
  return async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    // Only ends what hangs.
    page.setDefaultTimeout(60_000);
    return { page, context, [Symbol.asyncDispose]: () => context.close() };
  };
}
