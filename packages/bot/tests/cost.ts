/**
 * The CPU time of this thread, in microseconds, that the work takes: the mean of as many runs as the clock, which may
 * tick a hundred times a second only, can tell apart. To be compared with that of other work only, on the same
 * machine.
 */
export function costOf(work: () => void): number {
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs += 1) {
    work();
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= 100_000) return (user + system) / runs;
  }
}
