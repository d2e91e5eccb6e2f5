/** Returns a `show` that drops lines for `quietMs` after each line that it shows. */
export function throttled(show: (line: string) => void, quietMs: number): (line: string) => void {
  let quietUntil = 0;
  return (line) => {
    const now = performance.now();
    if (now < quietUntil) return;
    quietUntil = now + quietMs;
    show(line);
  };
}
