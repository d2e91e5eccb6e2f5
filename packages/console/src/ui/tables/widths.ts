import { type RefObject, useCallback, useLayoutEffect, useState } from 'react';
import { browserValues } from '../../data/session/storage.ts';

/** The widths of columns that a person has chosen, in pixels. */
export interface Widths {
  byId: Readonly<Record<string, number>>;
  /** Undefined: as wide as the list makes it. */
  set(id: string, width: number | undefined): void;
}

export const narrowest = 56;
export const widest = 900;

/** Reads the widths that were stored; none of a text that somebody else has written. */
export function readWidths(text: string | null): Record<string, number> {
  try {
    const found = JSON.parse(text ?? '{}') as unknown;
    const entries = Object.entries((found ?? {}) as Record<string, unknown>);
    return Object.fromEntries(
      entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    );
  } catch {
    return {};
  }
}

/** Returns the widths of the columns of a list, which the browser remembers by the name of the list. */
export function useWidths(name: string): Widths {
  const key = `parley-console-widths-${name}`;
  const [byId, setWidths] = useState(() => readWidths(browserValues.getItem(key)));
  const set = useCallback(
    (id: string, width: number | undefined) => {
      setWidths(({ [id]: _before, ...others }) => {
        const next = width === undefined ? others : { ...others, [id]: withinLimits(width) };
        browserValues.setItem(key, JSON.stringify(next));
        return next;
      });
    },
    [key],
  );
  return { byId, set };
}

/** Returns a width that a column can have. */
export function withinLimits(width: number): number {
  return Math.round(Math.min(Math.max(width, narrowest), widest));
}

const remPx = 16;

/** Returns the least width of a track in pixels: its first length, which may be in rem. */
export function leastPx(track: string): number {
  const [, size = '0', unit] = /([\d.]+)(rem|px)/.exec(track) ?? [];
  return unit === 'rem' ? Number(size) * remPx : Number(size);
}

/** Returns how wide an element may be: as wide as its parent. */
export function useWidth(place: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(Infinity);
  useLayoutEffect(() => {
    const parent = place.current?.parentElement;
    if (!parent) return;
    const observer = new ResizeObserver(() => setWidth(parent.clientWidth));
    observer.observe(parent);
    return () => observer.disconnect();
  }, [place]);
  return width;
}
