import type { Page } from 'playwright-core';
import { type Focused, pressUntil } from '../keyboard.ts';
import { type Widget, widgetOf } from '../widget.ts';

/** A customer's reply, by visible texts. */
export type Reply =
  | { choose: string }
  | { chooseAll: string[] }
  | { write: string }
  /** One or several choices, of which the last one takes own words. */
  | { chooseAll: string[]; ownWords: string }
  /** All choices, the best first. */
  | { rank: string[] }
  /** The column of each row. */
  | { rows: Record<string, string> }
  /** `YYYY-MM-DD`; `HH:MM` with the mouse. */
  | { date: string }
  | 'skip';

/** A way to run a conversation: with the mouse, or with the keyboard alone. */
export interface Hands {
  /** Opens the panel by the launcher and starts the conversation. */
  begin(page: Page): Promise<void>;
  reply(page: Page, reply: Reply): Promise<void>;
}

/** Clicks everything that can be clicked; only text is typed. */
export const mouse: Hands = {
  begin: async (page) => {
    const widget = widgetOf(page);
    await widget.launcher.click();
    await widget.button('Start').click();
  },
  reply: async (page, reply) => {
    const widget = widgetOf(page);
    if (reply === 'skip') return widget.button('Skip').click();
    if ('write' in reply || 'date' in reply) {
      await widget.field.click();
      await widget.field.fill('write' in reply ? reply.write : reply.date);
    } else if ('choose' in reply) {
      return widget.option(reply.choose).click();
    } else if ('rank' in reply) {
      for (const name of reply.rank.toReversed()) {
        const up = widget.button(`Move up: ${name}`);
        while ((await up.getAttribute('aria-disabled')) !== 'true') await up.click();
      }
    } else if ('rows' in reply) {
      for (const [row, column] of Object.entries(reply.rows)) {
        await widget.panel
          .getByRole('group', { name: row })
          .getByRole('radio', { name: column, exact: true })
          .check();
      }
    } else {
      for (const name of reply.chooseAll) await widget.option(name).click();
      if ('ownWords' in reply) await widget.field.fill(reply.ownWords);
    }
    await widget.send.click();
  },
};

/** Tab, arrows, Space, Enter and letters. Only keys move the focus. */
export const keyboard: Hands = {
  begin: async (page) => {
    await pressUntil(page, 'Tab', ({ isInWidget, name }) => isInWidget && name.startsWith('Chat with'));
    await page.keyboard.press('Enter');
    await untilAsked(widgetOf(page), page, 'Start');
    await page.keyboard.press('Enter');
  },
  reply: async (page, reply) => {
    // The field of a rare type is loaded first.
    await widgetOf(page).panel.locator('.composer:not(.busy)').waitFor();
    if (reply === 'skip') {
      await pressUntil(page, 'Tab', ({ name }) => name === 'Skip', 6);
      await page.keyboard.press('Space');
      return;
    }
    if ('write' in reply || 'date' in reply) {
      await pressUntil(page, 'Tab', ({ tag }) => tag === 'textarea' || tag === 'input', 3);
      // A rejected answer is still in the field.
      if ('write' in reply) await page.keyboard.press('Control+A');
      // A date is typed in the order of the browser: month, day, year.
      const [year, month, day] = 'date' in reply ? reply.date.split('-') : [];
      await page.keyboard.type('write' in reply ? reply.write : `${month}${day}${year}`);
    } else if ('choose' in reply) {
      // The first choice has the focus; arrows do not answer.
      await pressUntil(page, 'ArrowRight', ({ name }) => name === reply.choose, 12);
      await page.keyboard.press('Space');
      return;
    } else if ('rank' in reply) {
      const widget = widgetOf(page);
      for (const label of reply.rank.toReversed()) {
        const name = `Move up: ${label}`;
        const up = widget.button(name);
        await pressUntil(
          page,
          'Shift+Tab',
          (now) => now.name === 'Skip' || now.name.startsWith('Move up'),
          60,
        );
        await pressUntil(page, 'Tab', (now) => now.name === name, 60);
        // The focus stays on the button of the choice that moves.
        while ((await up.getAttribute('aria-disabled')) !== 'true') await page.keyboard.press('Space');
      }
    } else if ('rows' in reply) {
      // Their order is random.
      for (const row of await widgetOf(page).panel.locator('legend').allTextContents()) {
        const column = reply.rows[row];
        await pressUntil(page, 'Tab', ({ type }) => type === 'radio', 3);
        await page.keyboard.press('Space');
        await pressUntil(page, 'ArrowDown', ({ name }) => name === column, 10);
        await page.keyboard.press('Tab');
      }
    } else {
      for (const choice of reply.chooseAll) {
        const isHere = ({ type, name }: Focused) => type === 'checkbox' && name === choice;
        const { type } = await pressUntil(page, 'Tab', (now) => now.type === 'radio' || isHere(now), 12);
        if (type === 'radio') await pressUntil(page, 'ArrowDown', ({ name }) => name === choice, 12);
        else await page.keyboard.press('Space');
      }
      if ('ownWords' in reply) {
        await pressUntil(page, 'Tab', ({ type }) => type === 'text', 12);
        await page.keyboard.type(reply.ownWords);
      }
    }
    await pressUntil(page, 'Tab', ({ name }) => name === 'Send', 8);
    await page.keyboard.press('Enter');
  },
};

/** Waits until the button exists and has the focus. */
async function untilAsked(widget: Widget, page: Page, name: string): Promise<void> {
  await widget.button(name).waitFor();
  await pressUntil(page, 'Tab', (now) => now.name === name, 0);
}
