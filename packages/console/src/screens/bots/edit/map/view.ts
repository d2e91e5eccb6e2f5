import type { Box, Size } from './layout.ts';

/** Which part of the map is shown: `x` and `y` are where its upper left corner is in the window. */
export interface View {
  x: number;
  y: number;
  zoom: number;
}

/** The smallest zoom at which the words of a step can be read. */
const readableZoom = 0.75;

const margin = 24;

/**
 * Returns the part that is shown at first: all of a map that is readable then, else the step at which to begin, with
 * what surrounds it.
 */
export function firstView(window: Size, map: Size, begin: Box): View {
  const fitting = Math.min(
    1,
    (window.width - 2 * margin) / map.width,
    (window.height - 2 * margin) / map.height,
  );
  if (fitting >= readableZoom) return { ...centred(window, { x: 0, y: 0, ...map }, fitting), y: margin };
  const zoom = Math.min(1, Math.max(readableZoom, (window.width - 2 * margin) / map.width));
  const { x, y } = centred(window, begin, zoom);
  // Nothing is shown beyond the borders of the map. So the first step is at the top.
  const inside = (at: number, most: number, all: number): number =>
    Math.min(margin, Math.max(at, most - all * zoom - margin));
  return {
    x:
      map.width * zoom < window.width
        ? (window.width - map.width * zoom) / 2
        : inside(x, window.width, map.width),
    y: inside(y, window.height, map.height),
    zoom,
  };
}

/** Returns a view that has all of a step: the same one if it has. */
export function viewWith(view: View, window: Size, step: Box): View {
  const { x, y, zoom } = view;
  const left = step.x * zoom + x;
  const top = step.y * zoom + y;
  const isShown =
    left >= 0 &&
    top >= 0 &&
    left + step.width * zoom <= window.width &&
    top + step.height * zoom <= window.height;
  return isShown ? view : centred(window, step, zoom);
}

function centred(window: Size, { x, y, width, height }: Box, zoom: number): View {
  return {
    x: window.width / 2 - (x + width / 2) * zoom,
    y: window.height / 2 - (y + height / 2) * zoom,
    zoom,
  };
}

/** Returns the step to which a key leads from another one, in the order of the list; undefined for another key. */
export function stepByKey(key: string, from: number, count: number): number | undefined {
  const to = {
    ArrowDown: from + 1,
    ArrowRight: from + 1,
    ArrowUp: from - 1,
    ArrowLeft: from - 1,
    Home: 0,
    End: count - 1,
  }[key];
  return to === undefined ? undefined : Math.min(count - 1, Math.max(0, to));
}
