/** Where the focus goes when a panel's question changes: into its footer, or to the panel itself if nothing is asked. */
export function focusFirst(panel: HTMLElement): void {
  const footer = panel.querySelector('footer');
  const target =
    footer?.querySelector<HTMLElement>('input:checked') ??
    footer?.querySelector<HTMLElement>('input, textarea, button') ??
    panel;
  target.focus();
}

/** The element of the widget that has the focus, if one has. */
export function focusedIn(panel: HTMLElement): Element | null {
  const active = (panel.getRootNode() as Document | ShadowRoot).activeElement;
  return panel.contains(active) ? active : null;
}

/** Keeps the Tab key inside of a panel that covers the page. */
export function keepTabInside(event: KeyboardEvent, panel: HTMLElement): void {
  if (event.key !== 'Tab') return;
  const stops = tabStops(panel);
  const active = focusedIn(panel);
  const at = stops.findIndex((stop) => stop === active || isSameGroup(stop, active));
  const isLeaving = event.shiftKey ? at <= 0 : at === stops.length - 1;
  if (!isLeaving) return;
  event.preventDefault();
  stops.at(event.shiftKey ? -1 : 0)?.focus();
}

// A group of radio buttons is one stop: the chosen button, or the first one.
function tabStops(panel: HTMLElement): HTMLElement[] {
  const all = [...panel.querySelectorAll<HTMLElement>('a[href], button, input, textarea, [tabindex="0"]')];
  const shown = all.filter((one) => one.getClientRects().length > 0);
  return shown.filter((one, at) => {
    const group = shown.filter((other) => isSameGroup(other, one)) as HTMLInputElement[];
    return group.length === 0 || (group.find((other) => other.checked) ?? group[0]) === shown[at];
  });
}

function isSameGroup(one: Element, other: Element | null): boolean {
  return isRadio(one) && isRadio(other) && one.name === other.name;
}

function isRadio(one: Element | null): one is HTMLInputElement {
  return one instanceof HTMLInputElement && one.type === 'radio';
}
