import type { Locator, Page } from 'playwright-core';

/** What a customer sees of the widget, or of the landing page, which is the panel alone. */
export interface Widget {
  /** The one element that the widget adds to the page. */
  host: Locator;
  launcher: Locator;
  teaser: Locator;
  panel: Locator;
  log: Locator;
  /** What was said and the server has. */
  entries: Locator;
  /** What the customer has said and the server does not have. */
  pending: Locator;
  send: Locator;
  /** Buttons that answer, and checkboxes. */
  option(name: string | RegExp): Locator;
  /** The field that is typed into. */
  field: Locator;
  button(name: string): Locator;
  /** Waits until the bot's newest words are these. */
  hears(words: string): Promise<void>;
  /** Waits until the screen shows these words anywhere. */
  shows(words: string): Promise<void>;
}

/** The widget of a page: what is not there yet is waited for when it is used. */
export function widgetOf(page: Page): Widget {
  const host = page.locator('parley-widget');
  const panel = host.locator('.panel:not([hidden])');
  return {
    host,
    launcher: host.locator('.launcher'),
    teaser: host.locator('.teaser'),
    panel,
    log: panel.getByRole('log'),
    pending: panel.locator('.entry.pending'),
    entries: panel.locator('.entry:not(.typing, .pending)'),
    send: panel.locator('button[type=submit]'),
    option: (name) =>
      panel.getByRole('button', { name, exact: true }).or(panel.getByRole('checkbox', { name, exact: true })),
    field: panel.locator('.text-field'),
    button: (name) => panel.getByRole('button', { name, exact: true }),
    hears: (words) => panel.locator('.entry.bot:last-child', { hasText: words }).waitFor(),
    shows: (words) => panel.getByText(words).filter({ visible: true }).first().waitFor(),
  };
}
