/** Returns the time in epoch milliseconds. Old libraries replace `Date.now` by a function that returns a `Date`. */
export function epochMs(): number {
  return new Date().getTime();
}
