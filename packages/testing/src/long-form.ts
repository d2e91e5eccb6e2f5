const factor = Number(process.env['TEST_FACTOR'] ?? 1);

/** Returns how often a test repeats what is random or races: `usual`, and `TEST_FACTOR` times as often if it is set. */
export function longForm(usual: number): number {
  return Math.round(usual * factor);
}
