import type { Logger } from '@parley/runtime/telemetry/logger';
import { AppError } from '@parley/runtime/errors';
import { refusingPeers } from '../metrics.ts';

/**
 * How a process and its peer stand to each other. `refused`: the peer refuses its token or certificate. `distrusted`:
 * it refuses the certificate of the peer. `unknown`: the peer does not answer.
 */
export type Standing = 'accepted' | 'refused' | 'distrusted' | 'unknown';

/** The peers of a process. Without their acceptance, its calls fail, so that it cannot do its work. */
export interface Standings extends Disposable {
  /** Adds a peer, with a check that ends by itself and never rejects. */
  add(peer: string, check: () => Promise<Standing>): void;
  /** Asks all peers. False if one of them refuses this process, or if it trusts none that it reaches. */
  areGood(): Promise<boolean>;
}

/** How long a refusal counts after it was last seen, while the peer does not answer. */
const keptMs = 30_000;

/** Returns an empty collection. Logs when the standing with a peer changes. */
export function createStandings(logger: Pick<Logger, 'error' | 'info'>): Standings {
  const checks = new Map<string, () => Promise<Standing>>();
  const known = new Map<string, { standing: Standing; atMs: number }>();
  /** Returns what counts of the peer now: it may still refuse while it does not answer. */
  const note = (peer: string, standing: Standing): Standing => {
    const former = known.get(peer);
    const nowMs = performance.now();
    if (standing === 'unknown') return former && nowMs - former.atMs < keptMs ? former.standing : standing;
    known.set(peer, { standing, atMs: nowMs });
    if (standing === (former?.standing ?? 'accepted')) return standing;
    if (standing === 'accepted') logger.info({ peer }, 'a peer accepts this process again');
    else logger.error({ peer, standing }, 'a peer and this process do not accept each other');
    return standing;
  };
  const countBad = (): number => [...known.values()].filter(({ standing }) => standing !== 'accepted').length;
  const observing = refusingPeers.observe((report) => report(countBad()));
  return {
    add: (peer, check) => checks.set(peer, check),
    areGood: async () => {
      const asked = [...checks].map(async ([peer, check]) => note(peer, await check()));
      const found = await Promise.all(asked);
      if (found.includes('refused')) return false;
      return !found.includes('distrusted') || found.includes('accepted');
    },
    [Symbol.dispose]: () => observing[Symbol.dispose](),
  };
}

/** What grpc-js says if the peer closes the connection right after a handshake that this side has accepted. */
const refusedConnection = /No connection established\. Last error: Failed to connect/;
/** What it says if this side does not accept the peer's certificate. */
const distrustedConnection = /No connection established\. Last error: Error: .*certificate/;

/** Returns the standing that the error of a call shows. `hasTls`: plain connections are also closed by proxies. */
export function standingOf(error: unknown, hasTls: boolean): Standing {
  if (error instanceof AppError && error.type === 'unauthenticated') return 'refused';
  if (!hasTls) return 'unknown';
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (refusedConnection.test(cause.message)) return 'refused';
    if (distrustedConnection.test(cause.message)) return 'distrusted';
  }
  return 'unknown';
}
