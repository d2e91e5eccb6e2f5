/**
 * Returns the CPU time of this thread, in microseconds, that the work takes: the mean of as many runs as a
 * clock that ticks a hundred times a second needs. Compare it only with other work on the same machine.
 */
export function costOf(work: () => void): number {
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs += 1) {
    work();
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= 100_000) return (user + system) / runs;
  }
}
