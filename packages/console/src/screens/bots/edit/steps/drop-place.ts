/** Returns the index that a dragged item gets, by the middles of all items from top to bottom. */
export function dropIndex(middles: readonly number[], from: number, y: number): number {
  const before = middles.filter((middle, index) => index !== from && middle < y).length;
  return Math.min(before, Math.max(0, middles.length - 1));
}

/** Returns how far the page scrolls in a frame, near its upper and its lower edge. */
export function scrollStep(y: number, height: number): number {
  const edge = 90;
  const step = 14;
  if (y < edge) return -step;
  return y > height - edge ? step : 0;
}
