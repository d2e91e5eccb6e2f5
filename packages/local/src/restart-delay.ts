// The first restart is at once; further ones of a child that does not stay up wait, longer each time.
const delayMsFirst = 200;
const delayMsMax = 5_000;

/** How long to wait before a restart, after so many restarts in a row that were each soon over. */
export function restartDelayMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(delayMsFirst * 2 ** (failures - 1), delayMsMax);
}
