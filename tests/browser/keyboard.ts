import type { Page } from 'playwright-core';

/** What has the focus, also inside of the widget. */
export interface Focused {
  tag: string;
  type: string;
  /** What it is called, as far as that is written on it. */
  name: string;
  isInWidget: boolean;
}

/** Looks what has the focus. */
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

/** Presses a key until what has the focus is wanted; fails when that does not come. */
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
  throw new Error(`${key} never leads there, but to: ${met.join(' | ')}`);
}
