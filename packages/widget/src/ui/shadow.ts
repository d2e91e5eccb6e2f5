import type { Branding, Theme } from '../model.ts';
import { pressOnce } from './press-once.ts';
import { themeSheet } from './theme.ts';

/**
 * Makes a host element with a shadow root, where no style of the page reaches and which needs none of its content
 * security policy.
 */
export function openShadow(
  { theme, branding }: { theme: Theme; branding?: Branding | undefined },
  css: string[],
): { host: HTMLElement; root: ShadowRoot } {
  const host = document.createElement('parley-widget');
  const root = host.attachShadow({ mode: 'open' });
  // The theme last: what is reset for all pages, as the place in the stack, is set by it again.
  root.adoptedStyleSheets = [...css, themeSheet(theme, branding?.accentColor)].map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  // The page sees these as keys on an element that is no field: its shortcuts would fire while somebody writes.
  for (const type of ['keydown', 'keyup', 'keypress'])
    root.addEventListener(type, (event) => event.stopPropagation());
  root.addEventListener('click', pressOnce, true);
  root.addEventListener('keydown', pressOnce, true);
  return { host, root };
}
