import { type ComponentChildren, Fragment, h, options, type VNode } from 'preact';

/** The element around each text. It has no style of its own. */
const wrapper = 'parley-text';

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
