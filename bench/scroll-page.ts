import type { Page } from 'playwright-core';

/** What a scroll has cost. */
export interface Scrolled {
  /** Milliseconds between each two frames. */
  intervalsMs: number[];
  /** Milliseconds from the end of the scroll until every row in view is loaded. */
  loadedMs: number;
}

/** The part of a page's globals that the scroll needs: this process has none of them. */
interface PageGlobals {
  requestAnimationFrame(done: (at: number) => void): void;
  scrollBy(x: number, y: number): void;
  scrollY: number;
  innerHeight: number;
  innerWidth: number;
  document: {
    documentElement: { scrollHeight: number };
    querySelector(selector: string): unknown;
    elementFromPoint(x: number, y: number): { closest(selector: string): unknown } | null;
  };
}

/** Scrolls a page down at a speed, and back up from its end. */
export function scrollPage(page: Page, pixelsPerSecond: number, seconds: number): Promise<Scrolled> {
  return page.evaluate(
    async ([speed, durationMs]) => {
      const view = globalThis as unknown as PageGlobals;
      const nextFrame = (): Promise<number> => new Promise((done) => view.requestAnimationFrame(done));
      const startedAt = await nextFrame();
      const intervalsMs: number[] = [];
      let before = startedAt;
      let direction = 1;
      while (before - startedAt < durationMs) {
        const at = await nextFrame();
        intervalsMs.push(at - before);
        view.scrollBy(0, (direction * speed * (at - before)) / 1_000);
        const isAtEnd = view.scrollY + view.innerHeight >= view.document.documentElement.scrollHeight - 1;
        if (isAtEnd) direction = -1;
        if (view.scrollY <= 0) direction = 1;
        before = at;
      }
      const endedAt = performance.now();
      const isLoaded = (): boolean =>
        !view.document.querySelector('[role=table]') ||
        Boolean(
          view.document
            .elementFromPoint(0.6 * view.innerWidth, 0.6 * view.innerHeight)
            ?.closest('[data-row]'),
        );
      while (!isLoaded()) await nextFrame();
      return { intervalsMs, loadedMs: performance.now() - endedAt };
    },
    [pixelsPerSecond, seconds * 1_000] as const,
  );
}
