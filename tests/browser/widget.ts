import type { Locator, Page } from 'playwright-core';

/** The customer's view of the widget, or of the landing page, which is the panel alone. */
export interface Widget {
  /** The only element that the widget adds to the page. */
  host: Locator;
  launcher: Locator;
  teaser: Locator;
  panel: Locator;
  log: Locator;
  /** The entries that the server has. */
  entries: Locator;
  /** The customer's entry that the server does not have yet. */
  pending: Locator;
  send: Locator;
  /** Buttons that answer, and checkboxes. */
  option(name: string | RegExp): Locator;
  /** The text field. */
  field: Locator;
  button(name: string): Locator;
  /** Waits until the bot's newest text is this one. */
  botSays(words: string): Promise<void>;
  /** Waits until the screen shows this text anywhere. */
  shows(words: string): Promise<void>;
}

/** The widget of a page. Missing elements are waited for when they are used. */
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
      panel
        .getByRole('button', { name, exact: true })
        .or(panel.getByRole('checkbox', { name, exact: true }))
        .or(panel.getByRole('radio', { name, exact: true })),
    field: panel.locator('.text-field'),
    button: (name) => panel.getByRole('button', { name, exact: true }),
    botSays: (words) => panel.locator('.entry.bot:last-child', { hasText: words }).waitFor(),
    shows: (words) => panel.getByText(words).filter({ visible: true }).first().waitFor(),
  };
}
