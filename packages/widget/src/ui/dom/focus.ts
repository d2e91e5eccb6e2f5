/** Focuses the first field or button of the question in a panel or form, or the panel itself without a question. */
export function focusFirst(within: HTMLElement): void {
  const asked = within.querySelector('footer') ?? within;
  const target =
    asked.querySelector<HTMLElement>('input:checked, [aria-current]') ??
    asked.querySelector<HTMLElement>('input, textarea, button') ??
    within;
  target.focus();
}

export function focusedIn(panel: HTMLElement): Element | null {
  const active = (panel.getRootNode() as Document | ShadowRoot).activeElement;
  return panel.contains(active) ? active : null;
}

/** Keeps the Tab key inside a panel that covers the page. */
export function keepTabInside(event: KeyboardEvent, panel: HTMLElement): void {
  if (event.key !== 'Tab') return;
  const stops = tabStops(panel);
  const active = focusedIn(panel);
  const at = stops.findIndex((stop) => stop === active);
  const isLeaving = event.shiftKey ? at <= 0 : at === stops.length - 1;
  if (!isLeaving) return;
  event.preventDefault();
  stops.at(event.shiftKey ? -1 : 0)?.focus();
}

/** Moves the focus among the buttons of a group with the arrow keys. */
export function moveByArrows(event: KeyboardEvent): void {
  const group = event.currentTarget as HTMLElement;
  const onward = getComputedStyle(group).direction === 'rtl' ? -1 : 1;
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, ArrowRight: onward, ArrowLeft: -onward };
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const buttons = [...group.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === focusedIn(group));
  buttons.at((at + step) % buttons.length)?.focus();
}

function tabStops(panel: HTMLElement): HTMLElement[] {
  const all = [...panel.querySelectorAll<HTMLElement>('a[href], button, input, textarea, [tabindex="0"]')];
  return all.filter((one) => one.getClientRects().length > 0);
}
