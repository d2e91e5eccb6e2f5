/**
 * As `Promise.all`, but when one fails the others are waited for before it throws: what went on alone would write into
 * a folder that its caller is removing. `failed` is called at once: it may end what the others are waiting for.
 */
export async function together<Work extends readonly unknown[] | []>(
  work: Work,
  failed: () => void = () => {},
): Promise<{ -readonly [Index in keyof Work]: Awaited<Work[Index]> }> {
  // Rejects with the failure that came first, which those that follow from it are not.
  const all = Promise.all(work);
  all.catch(failed);
  await Promise.allSettled(work);
  return all;
}
