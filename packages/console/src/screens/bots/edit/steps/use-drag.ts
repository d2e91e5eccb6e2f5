import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { dropIndex, scrollStep } from './drop-place.ts';

interface Dragging {
  from: number;
  to: number;
}

/** How far a pointer moves before it drags, in CSS pixels. */
const slack = 5;

/**
 * Drags the items of a list by a handle, with a mouse, a pen or a finger. `Escape` ends it. `move` is called when an item
 * is dropped at another place.
 */
export function useDrag(list: RefObject<HTMLOListElement | null>, move: (from: number, to: number) => void) {
  const [dragging, setDragging] = useState<Dragging>();
  const held = useRef<{ from: number; beginY: number; y: number; hasMoved: boolean }>(undefined);
  const isDragging = dragging !== undefined;
  const place = (): void => {
    const { from, y } = held.current ?? {};
    if (from === undefined || y === undefined) return;
    const boxes = Array.from(list.current?.children ?? [], (item) => item.getBoundingClientRect());
    const to = dropIndex(
      boxes.map(({ top, height }) => top + height / 2),
      from,
      y,
    );
    setDragging((before) => (before?.from === from && before.to === to ? before : { from, to }));
  };
  const end = (): void => {
    held.current = undefined;
    setDragging(undefined);
  };
  useEffect(() => {
    if (!isDragging) return;
    let frame = requestAnimationFrame(function scroll() {
      const by = scrollStep(held.current?.y ?? innerHeight / 2, innerHeight);
      if (by !== 0) {
        scrollBy(0, by);
        place();
      }
      frame = requestAnimationFrame(scroll);
    });
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') end();
    };
    addEventListener('keydown', onKey);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('keydown', onKey);
    };
  }, [isDragging]);
  const handle = {
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      const from = Number(event.currentTarget.dataset['index']);
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      held.current = { from, beginY: event.clientY, y: event.clientY, hasMoved: false };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>): void => {
      const one = held.current;
      if (!one) return;
      one.y = event.clientY;
      one.hasMoved ||= Math.abs(one.y - one.beginY) > slack;
      if (one.hasMoved) place();
    },
    onPointerUp: (): void => {
      if (dragging && held.current && dragging.from !== dragging.to) move(dragging.from, dragging.to);
      end();
    },
    onPointerCancel: end,
  };
  return { dragging, handle };
}

export type DragHandle = ReturnType<typeof useDrag>['handle'];
