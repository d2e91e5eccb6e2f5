import type { Page } from 'playwright-core';

/** What a scroll has cost. */
export interface Scrolled {
  /** Milliseconds between each two frames. */
  intervalsMs: number[];
  /** Milliseconds from the end of the scroll until every row in view is loaded. */
  loadedMs: number;
}

/** Scrolls a page down at a speed, back up at its end. */
export function scrollPage(page: Page, pixelsPerSecond: number, seconds: number): Promise<Scrolled> {
  return page.evaluate(
    async ([speed, durationMs]) => {
      const nextFrame = (): Promise<number> => new Promise((done) => requestAnimationFrame(done));
      const startedAt = await nextFrame();
      const intervalsMs: number[] = [];
      let before = startedAt;
      let direction = 1;
      while (before - startedAt < durationMs) {
        const at = await nextFrame();
        intervalsMs.push(at - before);
        scrollBy(0, (direction * speed * (at - before)) / 1_000);
        const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
        if (isAtEnd) direction = -1;
        if (scrollY <= 0) direction = 1;
        before = at;
      }
      const endedAt = performance.now();
      while (document.querySelector('[data-row] .animate-pulse')) await nextFrame();
      return { intervalsMs, loadedMs: performance.now() - endedAt };
    },
    [pixelsPerSecond, seconds * 1_000] as const,
  );
}
