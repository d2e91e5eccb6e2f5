import { type ComponentChildren, Fragment, h, options, type VNode } from 'preact';
import type { Branding, Theme } from '../../model.ts';
import { themeSheet } from '../look/theme.ts';

/** The element around each text. It has no style of its own. */
const wrapper = 'parley-text';

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

/**
 * Renders each text into an element of its own, which is replaced when the text changes. Browsers translate a page by
 * replacing text nodes with `<font>` elements, so a change of the original node would not be visible, and nothing could
 * be inserted before it. May be called again.
 */
export function separateTexts(): void {
  options.vnode = ({ type, props }: VNode): void => {
    if ((typeof type === 'string' && type !== wrapper) || type === Fragment) {
      props.children = separated(props.children);
    }
  };
}

function separated(children: ComponentChildren): ComponentChildren {
  return Array.isArray(children) ? children.map(separatedOne) : separatedOne(children, 0);
}

function separatedOne(child: ComponentChildren, at: number): ComponentChildren {
  if (Array.isArray(child)) return separated(child);
  const isText = (typeof child === 'string' && child.trim() !== '') || typeof child === 'number';
  return isText ? h(wrapper, { key: `${at} ${child}` }, child) : child;
}

/**
 * Ignores the second click of a double click on a button, and the repetitions of a held Enter: by then another element
 * may be in the place of the pressed one, such as a question that nobody has read.
 */
function pressOnce(event: Event): void {
  const target = event.target as Element;
  const isAgain =
    event instanceof KeyboardEvent
      ? event.repeat && event.key === 'Enter' && target.localName !== 'textarea'
      : (event as MouseEvent).detail > 1 && target.closest('button') !== null;
  if (!isAgain) return;
  event.preventDefault();
  event.stopPropagation();
}
