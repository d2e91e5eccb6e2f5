interface HtmlPolicy {
  createHTML(html: string): string;
}

interface WithTrustedTypes {
  /** Undefined in browsers that do not know trusted types. */
  trustedTypes?: { createPolicy(name: string, policy: HtmlPolicy): HtmlPolicy };
}

// Only for a document that is not shown: nothing in it runs or loads.
const policy = (globalThis as WithTrustedTypes).trustedTypes?.createPolicy('parley-email', {
  createHTML: (html) => html,
});

/**
 * Returns the elements of a block for an e-mail, with its styles, and with links that lead nowhere. The policy of the
 * page forbids styles in HTML, and allows those that a script sets.
 */
export function drawEmail(html: string): Node[] {
  // A quotation mark in a text is escaped, so this is an attribute.
  const withoutStyles = html.replaceAll(' style="', ' data-style="');
  const source = policy?.createHTML(withoutStyles) ?? withoutStyles;
  const { body } = new DOMParser().parseFromString(source, 'text/html');
  for (const element of body.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.dataset['style'] ?? '';
    delete element.dataset['style'];
  }
  for (const link of body.querySelectorAll('a')) link.removeAttribute('href');
  return [...body.childNodes];
}
