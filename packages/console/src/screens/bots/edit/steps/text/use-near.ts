import { type RefObject, useLayoutEffect, useState } from 'react';

/** How far from the screen something is near, as a share of the screen's height. */
const distance = 2;

/** Returns whether a place is near the screen, or has been. */
export function useNear(place: RefObject<HTMLElement | null>): { isNear: boolean; approach(): void } {
  const [isNear, setNear] = useState(false);
  const approach = (): void => setNear(true);
  useLayoutEffect(() => {
    if (isNear || !place.current) return;
    const { top, bottom } = place.current.getBoundingClientRect();
    // What is shown at first must not change after it was drawn.
    if (bottom > -distance * innerHeight && top < (1 + distance) * innerHeight) return approach();
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) approach();
      },
      { rootMargin: `${distance * 100}% 0px` },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isNear]);
  return { isNear, approach };
}
