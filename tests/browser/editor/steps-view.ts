import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { signIn, type Stage } from '../console/console-stage.ts';

/** The card of a step, by its number. */
export const cardOf = (page: Page, number: number): Locator =>
  page.getByRole('listitem', { name: new RegExp(`^Step ${number}: `) });

export const ask = (id: string, text: string | object, more: object = {}) => ({
  id,
  kind: 'ask',
  text,
  input: { type: 'text' },
  ...more,
});

/** Creates a bot, and opens its steps. Returns its id. */
export async function openSteps(
  page: Page,
  stage: Stage,
  steps: object[],
  { query = '', ...more }: { query?: string } & Record<string, unknown> = {},
): Promise<string> {
  const key = `steps-${randomUUID()}`;
  const bot = { schemaVersion: 1, key, name: 'Steps', type: 'Feedback', ...more, steps };
  const { id } = await stage.place.workspace.client.bots.create(bot);
  await signIn(page, stage);
  await page.goto(stage.address(`/bots/${id}/edit${query}`));
  return id;
}

/** Chooses from a list of the browser, which first gets the focus, as for a person. */
export async function chooseIn(list: Locator, label: string): Promise<void> {
  await list.focus();
  await list.selectOption({ label });
}

/** Returns the text that the browser has kept of a bot, to the byte. */
export const keptText = (page: Page, botId: string): Promise<string> =>
  page.evaluate((id) => {
    const [, draft = '{}'] = Object.entries(localStorage).find(([key]) => key.endsWith(id)) ?? [];
    return (JSON.parse(draft) as { text?: string }).text ?? '';
  }, botId);
