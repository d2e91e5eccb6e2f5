import { type RefObject, useEffect, useRef } from 'react';

/** What had the focus: the element, and its ancestors with the index of the child that leads to it. */
interface Place {
  element: Element;
  ancestors: { ancestor: Element; index: number }[];
}

const focusable = 'button, input, select, textarea, summary, [tabindex], [contenteditable=true]';

/** Gives the focus to what is beside an element that had it and is gone. Returns what notes the focus. */
export function useKeptFocus(root: RefObject<HTMLElement | null>): (element: Element) => void {
  const last = useRef<Place>(undefined);
  useEffect(() => {
    if (!last.current || last.current.element.isConnected) return;
    const { ancestors } = last.current;
    last.current = undefined;
    if (document.activeElement !== document.body) return;
    const left = ancestors.filter(({ ancestor }) => root.current?.contains(ancestor));
    const [nearest] = left;
    const beside = nearest?.ancestor.children[Math.min(nearest.index, nearest.ancestor.children.length - 1)];
    const places = [beside, ...left.map(({ ancestor }) => ancestor)];
    places
      .map((place) => place && firstIn(place))
      .find((found) => found !== undefined)
      ?.focus();
  });
  return (element) => {
    // Windows above the screen are inside of it for React.
    if (root.current?.contains(element)) last.current = { element, ancestors: ancestorsOf(element) };
  };
}

function firstIn(place: Element): HTMLElement | undefined {
  const all = [place, ...place.querySelectorAll(focusable)];
  return all.find(
    (one): one is HTMLElement =>
      one instanceof HTMLElement &&
      one.matches(focusable) &&
      one.checkVisibility() &&
      !one.matches(':disabled'),
  );
}

function ancestorsOf(element: Element): Place['ancestors'] {
  const found: Place['ancestors'] = [];
  for (let child = element; child.parentElement; child = child.parentElement) {
    const { parentElement: ancestor } = child;
    found.push({ ancestor, index: [...ancestor.children].indexOf(child) });
  }
  return found;
}
