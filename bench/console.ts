import { IdentityAdminServiceService } from '@parley/contracts/identity/v1/identity';
import { connect } from '@parley/rpc/connect';
import { findChromium } from '@parley/testing/servers/chromium';
import { chromiumFlags } from '@parley/testing/servers/chromium-flags';
import { type Browser, chromium, type Page } from 'playwright-core';
import { fill } from './contents.ts';
import { type Deployment, startDeployment } from './deployment.ts';
import { numberFlag, readFlags, runBenchmark, show } from './flags.ts';
import { type Scrolled, scrollPage } from './scroll-page.ts';
import { quantile } from './statistics.ts';

const help = `usage: npm run bench:console -- [FLAGS]

Scrolls the console's list of interactions in Chromium, and counts the frames that were in
time: at most 16.7 ms after the one before (60 frames a second). A page of the same height
without a script shows what the machine allows. The processor time of the page's main thread
for a frame does not depend on other work of the machine.

  --rows N      interactions of the list (100000)
  --seconds N   duration of each scroll (5)
  --json        prints one JSON value
  --help        this text
`;

/** Pixels per second: a wheel that is turned, a page at a time, and a dragged scroll bar. */
const speeds = { wheel: 2_000, pages: 8_000, bar: 400_000 };
const window = { width: 1280, height: 800 };

interface Outcome {
  name: string;
  frames: number;
  /** The share of the frames in time. */
  inTime: number;
  /** Milliseconds between two frames. */
  p99Ms: number;
  maxMs: number;
  /** Milliseconds of processor time of the main thread for a frame. */
  processorMs: number;
  /** Milliseconds after the scroll until every row in view is loaded. */
  loadedMs: number;
}

await runBenchmark(async (ended) => {
  const flags = readFlags({
    rows: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  });
  if (flags.help) {
    process.stdout.write(help);
    return;
  }
  const rows = numberFlag('rows', flags.rows, 1_000);
  const seconds = numberFlag('seconds', flags.seconds, 1);
  await using deployment = await startDeployment({ show, ended });
  await fill(deployment, { customers: 10_000, interactions: rows, conversations: 0, bots: 1 }, show);
  await using browser = await openBrowser();
  const page = await browser.newPage({ viewport: window, reducedMotion: 'reduce' });
  const list = await signIn(page, deployment);
  const processor = await openProcessorTime(page);
  const outcomes: Outcome[] = [];
  const measure = async (name: string, pixelsPerSecond: number): Promise<void> => {
    const before = await processor();
    const { intervalsMs, loadedMs } = await scrollPage(page, pixelsPerSecond, seconds);
    const processorMs = ((await processor()) - before) / intervalsMs.length;
    outcomes.push({ name, loadedMs, processorMs, ...figuresOf(intervalsMs) });
    show(lineOf(outcomes.at(-1)));
  };
  for (const [name, pixelsPerSecond] of Object.entries(speeds)) {
    // Loading and compiling the code is another measurement.
    await page.goto(list);
    await page.locator('[data-row] a').first().waitFor();
    await measure(`${name} (${pixelsPerSecond.toLocaleString('en')} pixels/s)`, pixelsPerSecond);
  }
  await page.goto('about:blank');
  await page.setContent(
    `<div style="height: ${rows * 44}px; background: linear-gradient(#fff, #000)"></div>`,
  );
  await measure('page without a script', speeds.wheel);
  process.stdout.write(
    flags.json ? `${JSON.stringify({ rows, outcomes })}\n` : `${outcomes.map(lineOf).join('\n')}\n`,
  );
});

async function openBrowser(): Promise<Browser> {
  const executablePath = await findChromium(process.env, show);
  // Its sandbox requires an ordinary user.
  return chromium.launch({
    executablePath,
    args: [...chromiumFlags.shell],
    chromiumSandbox: process.getuid?.() !== 0,
  });
}

/** Opens the console. Returns the address of the list. */
async function signIn(page: Page, { system }: Deployment): Promise<string> {
  const { baseUrl, workspaceId } = system.local();
  const { identity, operatorToken } = system.operator;
  using peer = connect(identity, { token: operatorToken });
  const request = { workspaceId, role: 'viewer', name: 'Benchmark' };
  const { code } = await peer
    .client(IdentityAdminServiceService)
    .createConsoleLink(request, { requestId: 'bench' });
  await page.goto(`${baseUrl}/console/sign-in/link#${code}`);
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  return `${baseUrl}/console/w/${workspaceId}/interactions`;
}

/** Returns a function that reads the processor time of a page's main thread so far, in milliseconds. */
async function openProcessorTime(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
  };
}

function figuresOf(intervalsMs: Scrolled['intervalsMs']) {
  const sorted = Float64Array.from(intervalsMs).sort();
  // Frames begin with the refresh of the screen: an interval is a multiple of 16.7 ms.
  const inTime = intervalsMs.filter((interval) => Math.round((interval * 60) / 1_000) <= 1);
  return {
    frames: sorted.length,
    inTime: inTime.length / sorted.length,
    p99Ms: quantile(sorted, 0.99),
    maxMs: sorted.at(-1) ?? Number.NaN,
  };
}

function lineOf(outcome: Outcome | undefined): string {
  if (!outcome) return '';
  const { name, frames, inTime, p99Ms, maxMs, processorMs, loadedMs } = outcome;
  const share = `${(inTime * 100).toFixed(1)} % of ${frames} frames in time`;
  const slowest = `99 % within ${p99Ms.toFixed(1)} ms, the slowest ${maxMs.toFixed(1)} ms`;
  const work = `${processorMs.toFixed(1)} ms of processor time for a frame`;
  return `${name}: ${share}, ${slowest}, ${work}; rows complete ${loadedMs.toFixed(0)} ms after the end`;
}
