/** What waits for the body. */
export type BodyIsThere = typeof bodyIsThere;

/** Resolves once the page has a body: a script in the head may run before. */
export function bodyIsThere(): Promise<void> {
  return new Promise((resolve) => {
    if (document.body) resolve();
    else document.addEventListener('DOMContentLoaded', () => resolve(), { once: true });
  });
}
