/** How long a probe waits at most. Load balancers and kubelets wait for a second or more. */
export const probeWaitMs = 500;
/** How long the last answer stands in for a late one. Longer than most probes are apart. */
const keptMs = 10_000;

/**
 * Returns a function that answers within half a second, whatever `check` waits for. Callers share a check in progress.
 * While it takes longer, the last answer counts, if it is at most ten seconds old. Otherwise, and if the check fails,
 * the answer is `unknown`. The check must end by itself.
 */
export function inTime<T>(check: () => Promise<T>, unknown: T): () => Promise<T> {
  let checking: Promise<T> | undefined;
  let last = { answer: unknown, atMs: Number.NEGATIVE_INFINITY };

  const begin = (): Promise<T> => {
    const begun = (async () => {
      const answer = await check().catch(() => unknown);
      last = { answer, atMs: performance.now() };
      checking = undefined;
      return answer;
    })();
    checking = begun;
    return begun;
  };

  return () => {
    const answered = checking ?? begin();
    const late = Promise.withResolvers<T>();
    const timer = setTimeout(() => {
      late.resolve(performance.now() - last.atMs <= keptMs ? last.answer : unknown);
    }, probeWaitMs);
    return Promise.race([answered, late.promise]).finally(() => clearTimeout(timer));
  };
}
