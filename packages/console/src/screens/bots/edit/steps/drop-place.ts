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

/** Returns on which side of an item the dragged one would be. */
export function dropSide(
  dragging: { from: number; to: number } | undefined,
  index: number,
): 'above' | 'below' | undefined {
  if (dragging?.to !== index || dragging.from === index) return undefined;
  return dragging.from > index ? 'above' : 'below';
}
