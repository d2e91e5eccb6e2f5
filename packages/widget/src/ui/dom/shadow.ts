import type { Branding, Theme } from '../../model.ts';
import { pressOnce } from './press-once.ts';
import { separateTexts } from './separate-texts.ts';
import { themeSheet } from '../look/theme.ts';

/**
 * Creates a host element with a shadow root. The page's styles do not affect it, and it needs nothing of the page's
 * content security policy.
 */
export function openShadow(
  { theme, branding }: { theme: Theme; branding?: Branding | undefined },
  css: string[],
): { host: HTMLElement; root: ShadowRoot } {
  separateTexts();
  const host = document.createElement('parley-widget');
  const root = host.attachShadow({ mode: 'open' });
  // The theme last: it overrides properties that are reset for all pages, such as the position in the stack.
  root.adoptedStyleSheets = [...css, themeSheet(theme, branding?.accentColor)].map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  // Page shortcuts would fire on these key events, because their target is not a field.
  for (const type of ['keydown', 'keyup', 'keypress'])
    root.addEventListener(type, (event) => event.stopPropagation());
  root.addEventListener('click', pressOnce, true);
  root.addEventListener('keydown', pressOnce, true);
  return { host, root };
}
