import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** The minimum side of click and touch targets, in pixels (WCAG 2.5.8). */
const targetMin = 24;

/** Axe's rule for the colours of texts, which takes most of its time. */
export const contrastRule = 'color-contrast';

/**
 * Fails unless the current page fulfils WCAG 2.2 AA by axe, and by the checks that axe does not have. `only` and
 * `without` select among axe's rules.
 */
export async function expectAccessible(
  page: Page,
  { only, without }: { only?: string | undefined; without?: string | undefined } = {},
): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate((how) => window.axe.run(document, how), {
    runOnly: only === undefined ? { type: 'tag', values: tags } : { type: 'rule', values: [only] },
    rules: without === undefined ? {} : { [without]: { enabled: false } },
    resultTypes: ['violations'],
  });
  const noted = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
  );
  expect(noted, 'violations that axe finds').toEqual([]);
  await expectFitting(page);
}

/** Fails if the current page scrolls sideways or is cut off, or if a target is too small. */
export async function expectFitting(page: Page): Promise<void> {
  const { small, wide, logs } = await measure(page);
  expect(small, `targets below ${targetMin} pixels`).toEqual([]);
  expect(wide, `what scrolls sideways or is cut off in ${page.url()}`).toEqual([]);
  expect(logs, 'live regions for entries').toBeLessThanOrEqual(1);
}

/** How much may move by itself. Browsers call the layout of a page good up to 0.1. */
const shiftMax = 0.02;

/** Fails if much has moved by itself since that time of the page, or since it was opened, as browsers count it. */
export async function expectStill(page: Page, sinceMs = 0): Promise<void> {
  const moved = await page.evaluate(async (since) => {
    const drawn = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(done));
    await drawn();
    await drawn();
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: 'layout-shift', buffered: true });
    const shifts = observer.takeRecords() as unknown as {
      value: number;
      startTime: number;
      hadRecentInput: boolean;
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
    }[];
    observer.disconnect();
    return shifts
      .filter(({ hadRecentInput, startTime }) => !hadRecentInput && startTime >= since)
      .map(({ value, sources }) => ({
        value,
        parts: sources.map(({ node, previousRect: from, currentRect: to }) => {
          const words = node?.textContent?.slice(0, 40);
          return `"${words}" from ${from.x} ${from.y} to ${to.x} ${to.y}`;
        }),
      }));
  }, sinceMs);
  const sum = moved.reduce((all, { value }) => all + value, 0);
  expect(sum, JSON.stringify(moved)).toBeLessThanOrEqual(shiftMax);
}

/** The most characters of a line of prose, as a browser estimates them by the size of the text. */
const lineCharactersMax = 100;

/** Fails if the page scrolls sideways, or if a line of prose in its content is too long to read. */
export async function expectReadable(page: Page): Promise<void> {
  await expectFitting(page);
  const long = await page.evaluate((most) => {
    const texts = document.querySelectorAll<HTMLElement>('main :is(p, li, dd, figcaption, legend, h2, h3)');
    return [...texts].flatMap((element) => {
      // Code and tables have lines of their own.
      if (!element.checkVisibility() || element.closest('pre, table, .cm-editor')) return [];
      const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
      const text = own.map(({ textContent }) => textContent).join('');
      const range = document.createRange();
      range.selectNodeContents(element);
      const width = Math.max(0, ...[...range.getClientRects()].map((line) => line.width));
      // On average, a character is half as wide as high.
      const characters = width / (Number.parseFloat(getComputedStyle(element).fontSize) / 2);
      return text.length > most && characters > most ? [`${Math.round(characters)}: ${text}`] : [];
    });
  }, lineCharactersMax);
  expect(long, 'lines that are too long').toEqual([]);
}

function measure(page: Page): Promise<{ small: string[]; wide: string[]; logs: number }> {
  return page.evaluate((targetMin) => {
    const root = document.querySelector('parley-widget')?.shadowRoot;
    const inWidget = [...(root?.querySelectorAll<HTMLElement>('*') ?? [])];
    const isSeen = (element: HTMLElement): boolean =>
      element.checkVisibility({ visibilityProperty: true }) && element.closest('.hidden') === null;
    const noted = (element: HTMLElement): string => {
      const { left, right, width, height } = element.getBoundingClientRect();
      const name = element.getAttribute('aria-label') ?? element.textContent.slice(0, 30);
      return `${element.tagName} ${element.className} "${name}" ${width} x ${height}, ${left} to ${right}`;
    };
    const small = inWidget.filter((element) => {
      // A link in a line of text is as high as the line.
      if (!element.matches('button, input, textarea') || !isSeen(element)) return false;
      const { width, height } = element.getBoundingClientRect();
      return width < targetMin || height < targetMin;
    });
    const wide = inWidget.filter((element) => {
      if (!isSeen(element) || element.closest('svg')) return false;
      const { left, right } = element.getBoundingClientRect();
      const isCut = left < -0.5 || right > innerWidth + 0.5;
      const isScrolled =
        element.matches('.scroller, .body, footer, .panel') && element.scrollWidth > element.clientWidth + 1;
      return isCut || isScrolled;
    });
    const { scrollWidth, clientWidth } = document.documentElement;
    return {
      small: small.map(noted),
      wide: [
        ...wide.map(noted),
        ...(scrollWidth > clientWidth ? [`the page: ${scrollWidth} in ${clientWidth}`] : []),
      ],
      logs: inWidget.filter((element) => element.getAttribute('role') === 'log').length,
    };
  }, targetMin);
}
