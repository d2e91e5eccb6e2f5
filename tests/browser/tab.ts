import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { inject } from 'vitest';

/** A page in its own browser, with all of its faults. */
export interface Tab extends AsyncDisposable {
  page: Page;
  context: BrowserContext;
  /** Script errors, error lines of the console and reports of the content security policy, in order. */
  faults: string[];
}

let browser: Promise<Browser> | undefined;

/** Another tab of the same browser: storage and network are shared. */
export async function openTab(context: BrowserContext): Promise<Omit<Tab, keyof AsyncDisposable>> {
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
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

/** Opens a browser without data, and a tab. It is closed after use. */
export async function openBrowser(options: BrowserContextOptions = {}): Promise<Tab> {
  browser ??= chromium.connect(inject('chromium'));
  const context = await (await browser).newContext({ viewport: desktop, locale: 'en-US', ...options });
  return { ...(await openTab(context)), [Symbol.asyncDispose]: () => context.close() };
}

/** A window of a desktop computer, in pixels. */
export const desktop = { width: 1280, height: 800 };

/** The window of a common phone. */
export const phone = { width: 390, height: 844 };

/** The narrowest supported window (WCAG 1.4.10). */
export const narrow = { width: 320, height: 568 };
