/**
 * Returns the results as `Promise.all` does. When one fails, waits for the others before it throws the first
 * failure, so that none of them writes into a folder that the caller removes. Calls `onFailure` at once, to
 * end the others.
 */
export async function allSettledOrThrow<Work extends readonly unknown[] | []>(
  work: Work,
  onFailure: () => void,
): Promise<{ -readonly [Index in keyof Work]: Awaited<Work[Index]> }> {
  const all = Promise.all(work);
  all.catch(onFailure);
  await Promise.allSettled(work);
  return all;
}
