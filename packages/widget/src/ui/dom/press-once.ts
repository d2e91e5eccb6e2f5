/**
 * Ignores the second click of a double click on a button, and the repetitions of a held Enter: by then another element
 * may be in the place of the pressed one, such as a question that nobody has read.
 */
export function pressOnce(event: Event): void {
  const target = event.target as Element;
  const isAgain =
    event instanceof KeyboardEvent
      ? event.repeat && event.key === 'Enter' && target.localName !== 'textarea'
      : (event as MouseEvent).detail > 1 && target.closest('button') !== null;
  if (!isAgain) return;
  event.preventDefault();
  event.stopPropagation();
}
