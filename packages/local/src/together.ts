/**
 * As `Promise.all`, but when one fails the others are waited for before it throws: what went on alone would write into
 * a folder that its caller is removing.
 */
export async function together<Work extends readonly unknown[] | []>(
  work: Work,
): Promise<{ -readonly [Index in keyof Work]: Awaited<Work[Index]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
