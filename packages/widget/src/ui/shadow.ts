import type { Theme } from '../model.ts';
import { themeSheet } from './theme.ts';

/**
 * Makes a host element with a shadow root, where no style of the page reaches and which needs none of its content security
 * policy.
 */
export function openShadow(theme: Theme, css: string[]): { host: HTMLElement; root: ShadowRoot } {
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
  return { host, root };
}
