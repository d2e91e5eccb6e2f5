/** A `show` that drops every line which comes less than `quietMs` after the last one that it has shown. */
export function throttled(show: (line: string) => void, quietMs: number): (line: string) => void {
  let quietUntil = 0;
  return (line) => {
    const now = performance.now();
    if (now < quietUntil) return;
    quietUntil = now + quietMs;
    show(line);
  };
}
