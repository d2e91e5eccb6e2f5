import type { AxeResults } from 'axe-core';

/** The widget as a page's own script sees it, as far as tests drive it. */
interface PageWidget {
  on(name: string, listener: (payload: { interactionId: string }) => void): () => void;
  check(): Promise<unknown>;
  open(interactionId?: string): Promise<boolean>;
  logout(): void;
  destroy(): void;
}

// What the pages of these tests have on their window: the SDK, and what the tests themselves put there.
declare global {
  interface Window {
    Parley: { init(options: object): PageWidget; widget: PageWidget };
    axe: { run(what: Document, how: object): Promise<AxeResults> };
    /** A widget that a page's own script has set up. */
    mine: PageWidget;
    /** What a test's page has noted, by what it notes. */
    told: string[];
    keys: string[];
    moved: string[];
    kept: unknown[];
    reportViolation(text: string): void;
  }
}
