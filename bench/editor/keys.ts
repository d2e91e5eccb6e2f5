import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { quantile } from '../measure/statistics.ts';

/** What keys have taken in a page, in milliseconds: until their frame was made, and until it was shown. */
interface Watched {
  drawn: number[];
  shown: number[];
}

// Event Timing has steps of 8 ms, and only what takes 16 ms or more.
const watching = `
  globalThis.keyTimes = { drawn: [], shown: [] };
  addEventListener('keydown', ({ timeStamp }) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => keyTimes.drawn.push(performance.now() - timeStamp);
      port2.postMessage(undefined);
    });
  }, { capture: true });
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === 'keydown') keyTimes.shown.push(duration);
  }).observe({ type: 'event', durationThreshold: 16 });
`;

/** Pauses between two keys: of a fast typist, and of one who thinks. They meet what begins when typing rests. */
const pausesMs = [60, 90, 120, 80, 250, 100, 320, 70, 900, 110, 150, 1_400];

/** What a person types: letters, spaces, and a correction now and then. */
const keys = ['w', 'o', 'r', 'd', ' ', 'e', 'Backspace', 'x', 't', ' '];

/** Measures from now on: from when the browser gets a key to when the next frame was made. */
export async function watchKeys(page: Page): Promise<void> {
  await page.addInitScript({ content: watching });
}

/** What the keys in one field have taken, in milliseconds. */
export interface KeyTimes {
  p50: number;
  p95: number;
  max: number;
  /** The longest by Event Timing. */
  shownMax: number;
  /** The processor time of the page per key, in milliseconds, with all that the keys have begun. */
  work: number;
}

/** Types in a field, as a person does. */
export async function typeIn(field: Locator, count: number, ended: AbortSignal): Promise<KeyTimes> {
  const page = field.page();
  await field.focus();
  await page.keyboard.press('End');
  // What opening the view has begun is not of a key.
  await pause(2_000, undefined, { signal: ended });
  await page.evaluate(() => void Reflect.set(globalThis, 'keyTimes', { drawn: [], shown: [] }));
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const workMs = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
  };
  const before = await workMs();
  for (let typed = 0; typed < count; typed += 1) {
    await page.keyboard.press(keys[typed % keys.length] ?? 'x');
    await pause(pausesMs[typed % pausesMs.length], undefined, { signal: ended });
  }
  await pause(500, undefined, { signal: ended });
  const work = ((await workMs()) - before) / count;
  await session.detach();
  const { drawn, shown } = await page.evaluate(() => Reflect.get(globalThis, 'keyTimes') as Watched);
  const sorted = Float64Array.from(drawn).sort();
  return {
    p50: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    max: quantile(sorted, 1),
    shownMax: Math.max(0, ...shown),
    work,
  };
}
