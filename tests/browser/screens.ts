import type { BrowserContextOptions } from 'playwright-core';
import { kinds, questionOf } from './widget/every-input-bot.ts';
import { coloursOnly, everywhere, inOneRow, type Look } from './screenshots.ts';
import type { Shop } from './widget/shop.ts';
import type { Tab } from './tab.ts';
import { type Widget, widgetOf } from './widget.ts';

/** The page or link of a screen. */
interface Stage extends Omit<Tab, keyof AsyncDisposable> {
  shop: Shop;
  /** The bot that asks every kind of question. */
  botId: string;
  customerId: string;
}

export interface Screen {
  name: string;
  options?: BrowserContextOptions;
  look?: Look | undefined;
  open(stage: Stage): Promise<void>;
}

async function visit(
  stage: Stage,
  body: object = {},
  attributes: Record<string, string> = {},
): Promise<{ id: string; widget: Widget }> {
  const { shop, page, botId, customerId } = stage;
  const { id } = await shop.create(customerId, { botId, priority: 'Low', ...body });
  await page.goto(shop.visit({ customerId, attributes }).url);
  return { id, widget: widgetOf(page) };
}

async function ask(
  stage: Stage,
  kind: string,
  attributes: Record<string, string> = {},
): Promise<{ id: string; widget: Widget }> {
  const { id, widget } = await visit(stage, { context: [{ key: 'kind', value: kind }] }, attributes);
  await widget.launcher.click();
  await widget.panel.locator('.primary.wide').click();
  await widget.panel.locator('.composer').waitFor();
  return { id, widget };
}

/** The landing page of an interaction with this body. */
async function land({ shop, page, botId, customerId }: Stage, body: object): Promise<Widget> {
  const { link } = await shop.create(customerId, { botId, ...body });
  await page.goto(link);
  return widgetOf(page);
}

/** Further windows for some questions. That for a text also has the frame of all others. */
const looks: Record<string, Look> = { text: everywhere, nps: inOneRow, stars: inOneRow, rating: inOneRow };

const popup: Screen[] = [
  {
    name: 'launcher',
    look: everywhere,
    open: async (stage) => (await visit(stage)).widget.launcher.waitFor(),
  },
  {
    name: 'teaser',
    look: everywhere,
    open: async (stage) => (await visit(stage, { priority: 'Medium' })).widget.teaser.waitFor(),
  },
  {
    name: 'opened-itself',
    look: everywhere,
    open: async (stage) => (await visit(stage, { priority: 'High' })).widget.button('Start').waitFor(),
  },
  {
    name: 'ready',
    look: everywhere,
    open: async (stage) => {
      const { widget } = await visit(stage);
      await widget.launcher.click();
      await widget.button('Start').waitFor();
    },
  },
  ...kinds.map((kind) => ({
    name: `ask-${kind}`,
    look: looks[kind],
    open: async (stage: Stage) => {
      const { widget } = await ask(stage, kind);
      await widget.botSays(questionOf(kind));
    },
  })),
  {
    name: 'answer-refused',
    open: async (stage) => {
      const { widget } = await ask(stage, 'number');
      await widget.field.fill('a hundred');
      await widget.send.click();
      await widget.shows('Please answer with a number.');
    },
  },
  {
    name: 'chosen',
    open: async (stage) => {
      const { widget } = await ask(stage, 'multiChoice');
      await widget.option('Dark').click();
      await widget.option('Mild and sweet').click();
    },
  },
  {
    name: 'own-words',
    open: async (stage) => {
      const { widget } = await ask(stage, 'severalOrOther');
      await widget.option('Something else').click();
      await widget.option('Dark').click();
      await widget.field.fill('Cardamom');
    },
  },
  {
    name: 'ranked-arabic',
    look: everywhere,
    open: async (stage) => {
      const { widget } = await ask(stage, 'ranking', { locale: 'ar' });
      await widget.panel
        .getByRole('button', { name: /^إلى الأعلى/ })
        .last()
        .click();
    },
  },
  {
    name: 'answer-waiting',
    open: async (stage) => {
      const { widget } = await ask(stage, 'stars');
      await stage.context.setOffline(true);
      await widget.option(/^4/).click();
      await widget.shows('Not sent yet');
    },
  },
  {
    name: 'offline',
    open: async (stage) => {
      const { widget } = await visit(stage);
      await widget.launcher.waitFor();
      await stage.context.setOffline(true);
      await widget.launcher.click();
      await widget.shows('No connection');
    },
  },
  {
    name: 'completed',
    open: async (stage) => {
      const { widget } = await ask(stage, 'stars');
      await widget.option(/^4/).click();
      await widget.shows('All done');
    },
  },
  {
    name: 'skipped',
    open: async (stage) => {
      const { widget } = await ask(stage, 'longText');
      await widget.button('Skip').click();
      await widget.shows('All done');
    },
  },
  {
    name: 'expired',
    open: async (stage) => {
      const { id, widget } = await ask(stage, 'text');
      await stage.shop.patch(id, { status: 'Expired' });
      await widget.shows('This conversation has expired');
    },
  },
  {
    name: 'arabic',
    open: async (stage) => {
      const { widget } = await ask(stage, 'nps', { locale: 'ar' });
      await widget.botSays('ما مدى احتمال أن توصي بنا؟');
    },
  },
  {
    name: 'arabic-choice',
    open: async (stage) => {
      const { widget } = await ask(stage, 'multiChoice', { locale: 'ar' });
      await widget.botSays('أي من هذه تحب؟');
    },
  },
  {
    name: 'resumed-teaser',
    open: async (stage) => {
      const { widget } = await visit(stage, { priority: 'Medium', status: 'InProgress' });
      await widget.teaser.getByText('Continue').waitFor();
    },
  },
  ...['stars', 'choice', 'text', 'multiChoice'].map((kind) => ({
    name: `dark-${kind}`,
    look: coloursOnly,
    open: async (stage: Stage) => {
      const { widget } = await ask(stage, kind, { 'color-scheme': 'dark' });
      await widget.botSays(questionOf(kind));
    },
  })),
  {
    name: 'dark-pale-accent',
    look: coloursOnly,
    open: async (stage) => {
      const { widget } = await ask(stage, 'nps', { 'color-scheme': 'dark', accent: '#0a3d2a' });
      await widget.botSays(questionOf('nps'));
    },
  },
  {
    name: 'pale-accent-left',
    open: async (stage) => {
      const look = { accent: '#ffd84d', radius: '4', position: 'left' };
      const { widget } = await ask(stage, 'stars', look);
      await widget.botSays(questionOf('stars'));
    },
  },
];

const landing: Screen[] = [
  {
    name: 'landing-ready',
    look: everywhere,
    open: async (stage) => (await land(stage, {})).shows('Hello!'),
  },
  {
    name: 'landing-arabic',
    options: { locale: 'ar' },
    open: async (stage) => (await land(stage, {})).shows('مرحبا'),
  },
  {
    name: 'landing-conversation',
    look: everywhere,
    open: async (stage) => {
      const widget = await land(stage, { context: [{ key: 'kind', value: 'nps' }] });
      await widget.button('Start').click();
      await widget.botSays(questionOf('nps'));
    },
  },
  {
    name: 'landing-matrix',
    look: everywhere,
    open: async (stage) => {
      const widget = await land(stage, { context: [{ key: 'kind', value: 'matrix' }] });
      await widget.button('Start').click();
      await widget.panel.getByRole('table').waitFor();
      await widget.option('Dark: Good').check();
    },
  },
  {
    name: 'landing-dark',
    look: coloursOnly,
    options: { colorScheme: 'dark' },
    open: async (stage) => {
      const widget = await land(stage, { context: [{ key: 'kind', value: 'choice' }] });
      await widget.button('Start').click();
      await widget.botSays(questionOf('choice'));
    },
  },
  {
    name: 'landing-resume',
    open: async (stage) => (await land(stage, { status: 'InProgress' })).button('Continue').waitFor(),
  },
  {
    name: 'landing-completed',
    open: async (stage) => (await land(stage, { status: 'Completed' })).shows('Already answered'),
  },
  {
    name: 'landing-expired',
    open: async (stage) => (await land(stage, { status: 'Expired' })).shows('This conversation has expired'),
  },
  {
    name: 'landing-unavailable',
    open: async (stage) =>
      (await land(stage, { status: 'Draft' })).shows('This conversation is not available'),
  },
  {
    name: 'landing-offline',
    open: async (stage) => {
      await stage.page.route('**/public/v1/**', (route) => route.abort('internetdisconnected'));
      await (await land(stage, {})).shows('No connection');
    },
  },
];

/** Every screen except the demo's. */
export const screens: readonly Screen[] = [...popup, ...landing];
