/**
 * Keeps keys of an input method, such as the Enter that ends a composition, from all shortcuts, forms and windows. The
 * editor in its shadow tree handles them itself.
 */
export function keepCompositions(): void {
  addEventListener(
    'keydown',
    (event) => {
      const [field] = event.composedPath();
      const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
      // Safari says with this code only that the Enter key has ended the composition.
      if (!isField || !(event.isComposing || event.keyCode === 229)) return;
      event.stopImmediatePropagation();
      if (event.key === 'Enter') event.preventDefault();
    },
    { capture: true },
  );
}
