import { ParleyError } from '@parley/client/public';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testPage } from '../../tests/test-page.ts';
import { createPendingPoller, type Found } from './pending-poller.ts';

const nothing: Found = { waiting: null, pollAfterMs: 60_000 };

function setUp({ random = 0.5, poll = async () => nothing, onFound = () => {} } = {}) {
  const page = testPage();
  const polledAt: number[] = [];
  const errors: unknown[] = [];
  const beganAt = Date.now();
  const poller = createPendingPoller({
    page,
    random: () => random,
    poll: () => {
      polledAt.push((Date.now() - beganAt) / 1_000);
      return poll();
    },
    onFound,
    onError: (error) => errors.push(error),
  });
  return {
    page,
    polledAt,
    errors,
    poller,
    pass: (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000),
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the poller polls', () => {
  it('at once, and then at the server’s interval, up to a fifth sooner or later', async () => {
    for (const [random, times] of [
      [0, [0, 48, 96]],
      [0.5, [0, 60, 120]],
      [1, [0, 72, 144]],
    ] as const) {
      const { polledAt, pass, poller } = setUp({ random });
      await pass(145);
      expect(polledAt.slice(0, 3)).toEqual(times);
      poller.stop();
    }
  });

  it('never while the page is hidden, and at once when it becomes visible', async () => {
    const { page, polledAt, pass } = setUp();
    await pass(10);
    page.hide();
    await pass(1_000);
    page.fire('focus');
    page.fire('online');
    await pass(1_000);
    expect(polledAt).toEqual([0]);
    page.show();
    await pass(0);
    expect(polledAt).toEqual([0, 2_010]);
  });

  it('once for a burst of reasons, and at most every five seconds', async () => {
    const { page, polledAt, pass } = setUp();
    await pass(10);
    for (const event of ['visible', 'focus', 'online'] as const) page.fire(event);
    await pass(0);
    expect(polledAt).toEqual([0, 10]);
    await pass(1);
    page.fire('focus');
    await pass(30);
    expect(polledAt).toEqual([0, 10, 15]);
  });

  it('not before the end of a Retry-After', async () => {
    const limited = new ParleyError({ status: 429, type: 'rate-limited', detail: '', retryAfterSeconds: 30 });
    const { page, polledAt, errors, poller, pass } = setUp({ poll: () => Promise.reject(limited) });
    await pass(0);
    page.fire('focus');
    expect(await poller.check()).toBeNull();
    await pass(29);
    expect(polledAt).toEqual([0]);
    await pass(1);
    expect(polledAt).toEqual([0, 30]);
    expect(errors).toEqual([limited, limited]);
  });

  it('at the same interval when the clock of the computer is set back', async () => {
    const beganAt = performance.now();
    const times: number[] = [];
    const poll = async () => {
      times.push((performance.now() - beganAt) / 1_000);
      return nothing;
    };
    const { page, pass } = setUp({ poll });
    await pass(10);
    vi.setSystemTime(Date.now() - 3_600_000);
    page.fire('focus');
    await pass(0);
    await pass(60);
    expect(times).toEqual([0, 10, 70]);
  });

  it('again after failures, with pauses that grow to half a minute', async () => {
    const { polledAt, pass } = setUp({ random: 1, poll: () => Promise.reject(new Error('no network')) });
    await pass(200);
    expect(polledAt).toEqual([0, 5, 10, 15, 23, 39, 69, 99, 129, 159, 189]);
  });

  it('when the page’s own listener throws, and reports that error to the page', async () => {
    const report = vi.fn<(error: unknown) => void>();
    vi.stubGlobal('reportError', report);
    const mine = new Error('of the page');
    const onFound = (): never => {
      throw mine;
    };
    const { polledAt, errors, poller, pass } = setUp({ onFound });
    expect(await poller.check()).toBeNull();
    await pass(60);
    expect([polledAt, errors]).toEqual([[0, 60], []]);
    expect(report).toHaveBeenCalledWith(mine);
    vi.unstubAllGlobals();
  });

  it('once more for all requests during a call', async () => {
    const poll = async () => {
      await new Promise((done) => setTimeout(done, 10_000));
      return nothing;
    };
    const { polledAt, poller, pass } = setUp({ poll });
    await pass(1);
    let known = 0;
    for (let who = 0; who < 2; who += 1) void poller.check().then(() => (known += 1));
    await pass(10);
    expect([polledAt, known]).toEqual([[0, 10], 0]);
    await pass(9);
    expect([polledAt, known]).toEqual([[0, 10], 2]);
  });

  it('once more also when the call in progress fails', async () => {
    const failure = new Error('no network');
    const poll = vi.fn<() => Promise<Found>>().mockRejectedValueOnce(failure).mockResolvedValue(nothing);
    const { polledAt, errors, poller, pass } = setUp({ poll });
    const first = poller.check();
    const second = poller.check();
    await expect(first).rejects.toBe(failure);
    expect(await second).toBeNull();
    await pass(0);
    expect([polledAt, errors]).toEqual([[0, 0], [failure]]);
  });

  it('no more after it is stopped', async () => {
    const { page, polledAt, poller, pass } = setUp();
    await pass(0);
    poller.stop();
    page.fire('focus');
    await poller.check();
    await pass(1_000);
    expect(polledAt).toEqual([0]);
    expect(page.listening()).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
