import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createLink } from '../../people/console-people.ts';
import { openOverview, openStage, type Stage } from './console-stage.ts';
import { inBothLayouts, lookAt } from '../screenshots.ts';
import { openBrowser } from '../tab.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const newLink = async (name: string) =>
  `${stage.place.baseUrl}/console/sign-in/link#${await createLink(inject('operator'), stage.place.workspace.id, 'viewer', name)}`;
const nameIn = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    const answer = await fetch('/v1/session', { headers: { 'x-parley-console': '1' } });
    return ((await answer.json()) as { data: { name: string } | null }).data?.name;
  });

test('the link of somebody else does not replace a session without a question', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await page.goto(await newLink('Olga Operator'));
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  const link = await newLink('Mallory');
  await page.goto(link);
  await page.getByRole('heading', { name: 'You are signed in as Olga Operator' }).waitFor();
  expect(page.url()).not.toContain('#');
  await lookAt('sign-in-question', tab, inBothLayouts);
  expect(await nameIn(page)).toBe('Olga Operator');
  await page.getByRole('link', { name: 'Stay signed in as Olga Operator' }).click();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  expect(await nameIn(page)).toBe('Olga Operator');

  // The link is still good.
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue as the person of this link' }).click();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  expect(await nameIn(page)).toBe('Mallory');

  // A session that has ended is none: nobody is asked.
  await page.evaluate(() => fetch('/v1/session', { method: 'DELETE', headers: { 'x-parley-console': '1' } }));
  await page.goto(await newLink('Grace'));
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/console/w/${stage.place.workspace.id}`);
  expect(await nameIn(page)).toBe('Grace');
});

test('workspaces that a person has joined at a sign-in are named, and can be left', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await openOverview(page, stage, 'viewer');
  // As the page of the provider's answer does: tests/sign-in.e2e has a provider.
  await page.evaluate((id) => sessionStorage.setItem('parley-console-joined', id), stage.place.workspace.id);
  await page.goto(stage.address('/access/members'));
  await page.getByRole('status').getByText('With this sign-in you have joined:').waitFor();
  await page.getByRole('button', { name: 'Leave' }).first().waitFor();
  await lookAt('console-joined', tab, inBothLayouts);
});

test('the question is German where the browser prefers it, also in the dark', async () => {
  await using tab = await openBrowser({ locale: 'de-DE', colorScheme: 'dark' });
  const { page } = tab;
  await page.goto(await newLink('Ada'));
  await page.getByRole('navigation', { name: 'Bereiche' }).waitFor();
  const link = await newLink('Bob');
  await page.goto(link);
  await page.getByRole('heading', { name: 'Sie sind als Ada angemeldet' }).waitFor();
  await lookAt('sign-in-question-german', tab);
  await page.getByRole('button', { name: 'Als die Person dieses Links fortfahren' }).click();
  await page.getByRole('navigation', { name: 'Bereiche' }).waitFor();
  await page.goto(link);
  await page.getByRole('button', { name: 'Als die Person dieses Links fortfahren' }).click();
  await page.getByText('Dieser Link gilt nicht mehr.').waitFor();
});
