import type { Page } from 'playwright-core';

/** The focused element, also inside the widget. */
export interface Focused {
  tag: string;
  type: string;
  /** Its label, if visible. */
  name: string;
  isInWidget: boolean;
}

export function focused(page: Page): Promise<Focused> {
  return page.evaluate(() => {
    let element = document.activeElement;
    const isInWidget = element?.tagName === 'PARLEY-WIDGET';
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    const label = (element as HTMLInputElement | null)?.labels?.[0]?.textContent;
    const name = element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? '';
    return {
      tag: element?.tagName.toLowerCase() ?? '',
      type: element?.getAttribute('type') ?? '',
      name: name.trim(),
      isInWidget,
    };
  });
}

/** Presses a key until the wanted element has the focus; fails if that does not happen. */
export async function pressUntil(
  page: Page,
  key: string,
  isWanted: (focused: Focused) => boolean,
  pressesMax = 30,
): Promise<Focused> {
  const met: string[] = [];
  for (let presses = 0; presses <= pressesMax; presses += 1) {
    const now = await focused(page);
    if (isWanted(now)) return now;
    met.push(`${now.tag} ${now.name.slice(0, 40)}`);
    await page.keyboard.press(key);
  }
  throw new Error(`${key} never focuses it, but: ${met.join(' | ')}`);
}
