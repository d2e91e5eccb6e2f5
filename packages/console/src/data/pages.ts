/** The rows of a page of a numbered list. */
export const pageSize = 50;

/** Returns the numbers of the pages with the rows from `first` to `last`, and how many rows of the first are before. */
export function pagesOf(first: number, last: number): { numbers: number[]; skipped: number } {
  const [from, to] = [first, last].map((row) => Math.floor(Math.max(row, 0) / pageSize) + 1) as [
    number,
    number,
  ];
  const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  return { numbers, skipped: Math.max(first, 0) - (from - 1) * pageSize };
}
