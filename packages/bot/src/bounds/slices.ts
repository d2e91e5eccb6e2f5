/** Work in slices: the caller may let others run between two of them. */
export type Slices<Result> = Generator<void, Result>;

/** Does all the work at once. */
export function runAtOnce<Result>(slices: Slices<Result>): Result {
  for (;;) {
    const slice = slices.next();
    if (slice.done === true) return slice.value;
  }
}
