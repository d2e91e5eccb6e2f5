import type { AxeResults } from 'axe-core';

/** The part of the widget that tests call in a page's own script. */
interface PageWidget {
  on(name: string, listener: (payload: { interactionId: string }) => void): () => void;
  check(): Promise<unknown>;
  open(interactionId?: string): Promise<boolean>;
  logout(): void;
  destroy(): void;
}

// The globals of the tests' pages: the SDK, and values of the tests themselves.
declare global {
  interface Window {
    Parley: { init(options: object): PageWidget; widget: PageWidget };
    axe: { run(what: Document, how: object): Promise<AxeResults> };
    /** A widget that a page's own script has set up. */
    mine: PageWidget;
    /** The records of a test's page, by name. */
    noted: string[];
    keys: string[];
    moved: string[];
    kept: unknown[];
    reportViolation(text: string): void;
  }
}
