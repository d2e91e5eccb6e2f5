import type { Page } from 'playwright-core';
import { beforeAll, expect, inject, test } from 'vitest';
import {
  ask,
  end,
  figuresOf,
  header,
  hold,
  moveCreation,
  newPlace,
  type Place,
} from '../../insight/insight-conversations.ts';
import { createLink, signInBy, signInWithoutPersonalData } from '../../people/console-people.ts';
import { inBothLayouts, lookAt } from '../screenshots.ts';
import { desktop, openBrowser } from '../tab.ts';
import { takeSession } from './console-stage.ts';

const labelled = (value: string, label: string) => ({ value, label });
const bot = {
  ...header,
  key: 'cards',
  name: 'Cards',
  locale: 'en',
  evaluation: {
    score: {},
    reason: {},
    again: {},
    rates: {},
    segment: {},
    cause: {},
    comment: {},
    why: {},
    secret: { pii: true },
  },
  steps: [
    ask('score', { type: 'nps' }, { text: 'How likely, {{customer.firstName|friend}}?' }),
    { id: 'set', kind: 'set', evaluation: { segment: "answers.score >= 9 ? 'fan' : 'critic'" } },
    ask(
      'reason',
      {
        type: 'choice',
        choices: [labelled('p1', 'The price'), labelled('d1', 'The delivery')],
        other: { label: 'Something else' },
      },
      { text: { en: 'What is the reason?', de: 'Was ist der Grund?' } },
    ),
    { id: 'pass', kind: 'set', evaluation: { cause: "answers.score >= 0 ? answers.reason : 'none'" } },
    ask('again', { type: 'yesNo' }, { text: 'Would you buy again?' }),
    ask(
      'rates',
      {
        type: 'matrix',
        rows: [labelled('r1', 'Our speed')],
        columns: [labelled('c1', 'Good'), labelled('c2', 'Bad')],
      },
      { text: 'How do you rate us?' },
    ),
    ask('comment', { type: 'longText' }, { text: 'What else?' }),
    ask('why_good', { type: 'longText' }, { text: 'What is good?', evaluation: 'why', required: false }),
    ask('why_bad', { type: 'longText' }, { text: 'What is bad?', evaluation: 'why', required: false }),
    ask('secret', { type: 'text' }, { text: 'A secret?', pii: true }),
    end,
  ],
};

let place: Place;
let ofAda: string;
let ofBob: string;
beforeAll(async () => {
  place = await newPlace(bot);
  const answers = (score: number, ...texts: (string | null)[]) => [score, 'p1', true, { r1: 'c1' }, ...texts];
  ofAda = await hold(place, { customerId: 'ada', answers: answers(9, 'It came <b>late</b>.') });
  ofBob = await hold(place, {
    customerId: 'bob',
    answers: answers(3, 'All is well.', null, 'The queue.', 'Bob’s secret'),
  });
  await moveCreation(place, ofAda, new Date(Date.now() - 9 * 86_400_000).toISOString());
  await figuresOf(place);
});

const card = (page: Page, title: string) =>
  page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) });

const address = (path: string) => `${place.baseUrl}/console/w/${place.workspace.id}${path}`;

test('the cards say the words of questions and choices, count computed values, and quote open answers', async () => {
  await using tab = await openBrowser();
  const { page, context } = tab;
  const code = await createLink(inject('operator'), place.workspace.id);
  await takeSession(context, place.baseUrl, (await signInBy(place.baseUrl, code)).cookie);
  await page.goto(address(`/bots/${place.botId}`));
  const textOf = (title: string) => card(page, title).innerText();
  await expect
    .poll(() => textOf('What is the reason?'))
    .toMatch(/The price\s+2 100[^]*The delivery\s+0[^]*Something else\s+0/);
  expect(await textOf('Would you buy again?')).toMatch(/Yes\s+2 /);
  expect(await textOf('How do you rate us?')).toMatch(/Our speed\s+Good\s+2 [^]*Bad\s+0/);
  expect(await textOf('Segment')).toMatch(/fan\s+1 50[^]*critic\s+1 50/);
  expect(await textOf('Cause')).toMatch(/The price\s+2 100/);
  await card(page, 'How likely, ‹first name›?')
    .getByRole('img', { name: /^NPS by week\. .*: 100 ± 0, 1 answer; .*: -100 ± 0/ })
    .waitFor();
  await card(page, 'A secret?').getByText('Bob’s secret').waitFor();
  const why = card(page, 'Why').getByRole('listitem');
  await expect.poll(() => why.allInnerTexts()).toContainEqual(expect.stringContaining('The queue.'));
  expect((await why.allInnerTexts()).slice(0, 2)).toEqual(['What is good?', 'What is bad?']);
  const quotes = card(page, 'What else?');
  await expect
    .poll(() => quotes.getByRole('listitem').allInnerTexts())
    .toEqual([expect.stringContaining('All is well.'), expect.stringContaining('It came <b>late</b>.')]);
  await card(page, 'How likely, ‹first name›?').scrollIntoViewIfNeeded();
  await lookAt('console-insight-cards', tab, inBothLayouts);
  await page.setViewportSize(desktop);
  await quotes
    .getByRole('link', { name: /Conversation/ })
    .first()
    .click();
  await page.waitForURL(address(`/interactions/${ofBob}`));

  await page.goto(address(''));
  await page.getByRole('img', { name: 'Interactions of each day, at most 1' }).waitFor();
  await page.getByLabel('Language').selectOption('de');
  await page.goto(address(`/bots/${place.botId}`));
  await expect.poll(() => textOf('Was ist der Grund?')).toContain('The price');
  expect(tab.faults).toEqual([]);

  const { data } = await place.workspace.client.audit.list({ action: 'interactions.listed' });
  const targets = data.flatMap((event) => event.targets.map(({ id }) => id));
  expect(targets).toEqual(expect.arrayContaining([ofAda, ofBob]));
});

test('personal answers are hidden from people without the right to see them', async () => {
  const { cookie } = await signInWithoutPersonalData(inject('operator'), place, 'viewer', 'Vera');
  await using tab = await openBrowser();
  const { page, context } = tab;
  await takeSession(context, place.baseUrl, cookie);
  await page.goto(address(`/bots/${place.botId}`));
  await card(page, 'A secret?').getByText('Personal data.').waitFor();
  expect(await page.getByRole('main').innerText()).not.toContain('Bob');
});
