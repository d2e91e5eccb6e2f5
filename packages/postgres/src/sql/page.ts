/** Converts a page to SQL's limit and offset. `page` counts from 1. Null is the first page, of 20. */
export function limits(page: { page: number; pageSize: number } | null): { limit: number; offset: number } {
  const { page: number, pageSize } = page ?? { page: 1, pageSize: 20 };
  return { limit: pageSize, offset: (number - 1) * pageSize };
}
