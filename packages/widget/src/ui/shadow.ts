import type { Theme } from '../model.ts';
import { themeSheet } from './theme.ts';

/**
 * Adds a host element with a shadow root to the container, where no style of the page reaches and which needs none of its
 * content security policy.
 */
export function openShadow(
  container: HTMLElement,
  theme: Theme,
  css: string[],
): { host: HTMLElement; root: ShadowRoot } {
  const host = document.createElement('parley-widget');
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [themeSheet(theme), ...css].map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  // The page sees these as keys on an element that is no field: its shortcuts would fire while somebody writes.
  for (const type of ['keydown', 'keyup', 'keypress'])
    root.addEventListener(type, (event) => event.stopPropagation());
  container.append(host);
  return { host, root };
}
