/** Resolves once the page has a body: a script in the head may run before. */
export function bodyReady(): Promise<void> {
  return new Promise((resolve) => {
    if (document.body) resolve();
    else document.addEventListener('DOMContentLoaded', () => resolve(), { once: true });
  });
}
