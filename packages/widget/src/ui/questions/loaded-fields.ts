// The fields of types that few bots have. They are loaded with the first question of one of them.
import { h, render } from 'preact';
import { separateTexts } from '../dom/shadow.ts';
import type { LoadedField, LoadedType } from './loaded-field.ts';
import type { LoadedName } from './types.ts';
import { consent } from './types/consent.tsx';
import { matrix } from './types/matrix.tsx';
import { ownWords } from './types/own-words.tsx';
import { ranking } from './types/ranking.tsx';

const types: Record<LoadedName, LoadedType> = { ranking, matrix, consent, ownWords };

/** By the type of the question, and `ownWords` for choices beside words of the customer's own. */
export const loadedFields: Record<string, LoadedField> = Object.fromEntries(
  Object.entries(types).map(([name, type]) => [name, fieldOf(type)]),
);

const roots = new WeakSet<Node>();

function fieldOf({ Field, css: _css, ...field }: LoadedType): LoadedField {
  return {
    ...field,
    mount(host, props) {
      separateTexts();
      addStyles(host.getRootNode());
      render(h(Field, props), host);
    },
    unmount: (host) => render(null, host),
  };
}

/** Adds the style sheets of these fields to the shadow root of a screen, once. */
function addStyles(root: Node): void {
  if (roots.has(root) || !(root instanceof ShadowRoot)) return;
  roots.add(root);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    Object.values(types)
      .map(({ css }) => css)
      .join(''),
  );
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
