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
  // A pointer may be released before its last move is rendered.
  const held = useRef<Dragging & { beginY: number; y: number; hasMoved: boolean }>(undefined);
  const isDragging = dragging !== undefined;
  const place = (): void => {
    if (!held.current) return;
    const { from, y } = held.current;
    const boxes = Array.from(list.current?.children ?? [], (item) => item.getBoundingClientRect());
    const to = dropIndex(
      boxes.map(({ top, height }) => top + height / 2),
      from,
      y,
    );
    held.current.to = to;
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
      held.current = { from, to: from, beginY: event.clientY, y: event.clientY, hasMoved: false };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>): void => {
      const one = held.current;
      if (!one) return;
      one.y = event.clientY;
      one.hasMoved ||= Math.abs(one.y - one.beginY) > slack;
      if (one.hasMoved) place();
    },
    onPointerUp: (): void => {
      const { from, to } = held.current ?? { from: 0, to: 0 };
      end();
      if (from !== to) move(from, to);
    },
    onPointerCancel: end,
  };
  return { dragging, handle };
}

export type DragHandle = ReturnType<typeof useDrag>['handle'];
