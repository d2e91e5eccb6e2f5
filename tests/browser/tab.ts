import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core';
import type { ChromiumEdition } from '@parley/testing/servers/chromium-fetch';
import { inject } from 'vitest';

/** A page in its own browser, with all of its faults. */
export interface Tab extends AsyncDisposable {
  page: Page;
  context: BrowserContext;
  /** Script errors, error lines of the console and reports of the content security policy, in order. */
  faults: string[];
}

/** A window of a desktop computer, in pixels. */
export const desktop = { width: 1280, height: 800 };

/** A window on a large screen. */
export const widest = { width: 2560, height: 1440 };

/** The window of a common phone. */
export const phone = { width: 390, height: 844 };

/** The narrowest supported window (WCAG 1.4.10). */
export const narrow = { width: 320, height: 568 };

// Without motion, because a moving page costs the time of its frames.
const defaults = { viewport: desktop, locale: 'en-US', reducedMotion: 'reduce' } as const;

const browsers = new Map<ChromiumEdition, Promise<Browser>>();

function browserOf(edition: ChromiumEdition): Promise<Browser> {
  const browser = browsers.get(edition) ?? chromium.connect(inject('chromium')[edition]);
  browsers.set(edition, browser);
  return browser;
}

/** A browser for one test after the other. Its blank page keeps the process that all of its pages share. */
interface Reusable {
  context: BrowserContext;
  blank: Page;
  session: CDPSession;
}

/** Tabs without data that are not in use. */
const idle: Reusable[] = [];

/** Another tab of the same browser: storage and network are shared. */
export async function openTab(context: BrowserContext): Promise<Omit<Tab, keyof AsyncDisposable>> {
  const page = await context.newPage();
  // Only ends what hangs.
  page.setDefaultTimeout(60_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`script error: ${error.message}`));
  page.on('console', (line) => {
    if (line.type() === 'error' || line.type() === 'warning') faults.push(`${line.type()}: ${line.text()}`);
  });
  await page.exposeFunction('reportViolation', (text: string) => faults.push(`policy: ${text}`));
  await page.addInitScript(() => {
    const { reportViolation } = window;
    document.addEventListener('securitypolicyviolation', (event) => {
      reportViolation(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  return { page, context, faults };
}

/**
 * Opens a browser without data, and a tab. Both are closed after use. `isFresh` is for tests that change in a browser
 * what `removeData` does not undo. `edition: 'full'` is for tests of what depends on a browser's policies: frames,
 * cookies, other origins, downloads, print, input methods.
 */
export async function openBrowser({
  isFresh = false,
  edition = 'shell',
  ...options
}: BrowserContextOptions & { isFresh?: boolean; edition?: ChromiumEdition } = {}): Promise<Tab> {
  const browser = await browserOf(edition);
  const { viewport, colorScheme, reducedMotion, ...fixed } = options;
  if (isFresh || edition === 'full' || Object.keys(fixed).length > 0) {
    const context = await browser.newContext({ ...defaults, ...options });
    return { ...(await openTab(context)), [Symbol.asyncDispose]: () => context.close() };
  }
  const reusable = idle.pop() ?? (await openReusable(browser));
  const tab = await openTab(reusable.context);
  if (viewport) await tab.page.setViewportSize(viewport);
  if (colorScheme ?? reducedMotion) await tab.page.emulateMedia({ colorScheme, reducedMotion });
  const close = async (): Promise<void> => {
    await removeData(reusable);
    idle.push(reusable);
  };
  return { ...tab, [Symbol.asyncDispose]: close };
}

async function openReusable(owner: Browser): Promise<Reusable> {
  const context = await owner.newContext(defaults);
  const blank = await context.newPage();
  return { context, blank, session: await context.newCDPSession(blank) };
}

/** Closes the tabs of a browser, and removes what their sites have stored or were granted in it. */
async function removeData({ context, blank, session }: Reusable): Promise<void> {
  const pages = context.pages().filter((page) => page !== blank);
  const origins = new Set(pages.map((page) => new URL(page.url()).origin));
  await Promise.all(pages.map((page) => page.close()));
  for (const origin of origins)
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await Promise.all([context.clearCookies(), context.clearPermissions(), context.setOffline(false)]);
}
