// Fixed logarithmic buckets, so that a value can be subtracted later.

/** Each bucket is so many times as wide as the one before: its middle differs from its values by less than 5 %. */
const growth = 1.1;

/** Returns the bucket of a time in seconds: a whole number. All times below a second are in bucket 0. */
export function bucketOf(seconds: number): number {
  return seconds < 1 ? 0 : Math.floor(Math.log(seconds) / Math.log(growth)) + 1;
}

/** Returns the (geometric) middle of a bucket in seconds. */
export function middleOf(bucket: number): number {
  return bucket === 0 ? 0.5 : growth ** (bucket - 0.5);
}
