import { share } from './random.ts';

/** A receiver's reaction to a request. `cut`: the connection is closed, before or after the body was read. */
export type Answer = { status: number; afterMs: number } | { cut: 'before' | 'after' };

const soon: Answer = { status: 200, afterMs: 0 };

/** The undisturbed behaviour of the receiver at each path; `at` is in [0, 1). */
const tempers: Record<string, (at: number, event: string) => Answer> = {
  '/steady': () => soon,
  '/slow': (at) => (at < 0.1 ? { status: 200, afterMs: 50 + at * 20_000 } : soon),
  '/moody': (at) => {
    if (at < 0.02) return { cut: 'before' };
    if (at < 0.04) return { cut: 'after' };
    if (at < 0.08) return { status: 500, afterMs: 0 };
    if (at < 0.12) return { status: 503, afterMs: 0 };
    return soon;
  },
  // One event in two hundred is always rejected.
  '/picky': (_at, event) => (share(event) < 0.005 ? { status: 500, afterMs: 0 } : soon),
};

/** The paths of the receivers that get every event. */
export const paths: readonly string[] = Object.keys(tempers);

/** The plan for an attempt, determined by seed, path, event and number. */
export function plannedAnswer(seed: number, path: string, event: string, attempt: string): Answer {
  const temper = tempers[path];
  return temper ? temper(share(`${seed} ${path} ${event} ${attempt}`), event) : soon;
}
