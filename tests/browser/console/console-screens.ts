import type { Page } from 'playwright-core';
import type { Stage } from './console-stage.ts';

/** A screen of the console, as tests that visit all screens see it. */
export interface Screen {
  /** Below the workspace. */
  path: (stage: Stage) => string;
  /** The name of its pictures, and what is there when it is complete. Without it, there are none. */
  picture?: [name: string, ready: (page: Page) => Promise<void>];
  /** Its windows that have fields, by the words of their buttons. Without it, nothing is typed into the screen. */
  windows?: string[];
  /** The parameters of its address. */
  parameters?: string[];
}

/** All screens of a workspace. */
export const screens: readonly Screen[] = [
  {
    path: () => '',
    picture: ['overview', (page) => page.getByText('Start rate').first().waitFor()],
    windows: [],
  },
  {
    path: () => '/interactions',
    picture: ['interactions', (page) => page.getByRole('link', { name: 'c-1005' }).waitFor()],
    windows: ['New interaction', 'Export…'],
    parameters: [
      'status',
      'priority',
      'customer',
      'bot',
      'stopped',
      'version',
      'from',
      'to',
      'hide',
      'show',
      'evaluation',
    ],
  },
  {
    path: ({ place }) => `/interactions?bot=${place.botId}&status=Completed`,
    picture: ['interactions-bot', (page) => page.getByRole('columnheader', { name: 'NPS score' }).waitFor()],
  },
  {
    path: ({ ofAda }) => `/interactions/${ofAda}`,
    picture: ['interaction', (page) => page.getByText('Conversation started').waitFor()],
    windows: ['Delete'],
  },
  {
    path: () => '/interactions/import',
    picture: ['import', (page) => page.getByText('customerId, firstName', { exact: false }).waitFor()],
    windows: [],
  },
  {
    path: () => '/customers?q=c-1',
    picture: ['customers', (page) => page.getByRole('link', { name: 'c-1001' }).waitFor()],
    windows: [],
    parameters: ['q'],
  },
  {
    path: () => '/customers/c-1001',
    picture: ['customer', (page) => page.getByText('Profile').waitFor()],
    windows: ['Edit', 'Anonymise', 'Delete'],
  },
  {
    path: () => '/receipts',
    picture: ['receipts', (page) => page.getByText('All erasures').waitFor()],
    windows: [],
    parameters: ['customer'],
  },
  {
    path: () => '/webhooks',
    picture: ['webhooks', (page) => page.getByText('Last success').waitFor()],
    windows: ['New webhook'],
  },
  {
    path: ({ webhookId }) => `/webhooks/${webhookId}`,
    picture: ['webhook', (page) => page.getByText('Conversation completed').first().waitFor()],
    windows: ['Share with the receiver'],
    parameters: ['state', 'event', 'interaction', 'since', 'until', 'delivery'],
  },
  { path: ({ webhookId }) => `/webhooks/${webhookId}/settings`, windows: ['Delete webhook'] },
  {
    path: () => '/bots',
    picture: ['bots', (page) => page.getByText('Start rate').waitFor()],
    windows: ['New bot'],
  },
  {
    path: ({ place }) => `/bots/${place.botId}?compare=previous`,
    picture: ['insight', (page) => page.getByText('Where customers stop').waitFor()],
    windows: [],
    parameters: ['window', 'from', 'to', 'version', 'compare'],
  },
  {
    path: ({ place }) => `/bots/${place.botId}/versions`,
    picture: ['versions', (page) => page.getByText('NPS, second version').last().waitFor()],
    windows: [],
    parameters: ['left', 'right'],
  },
  {
    path: ({ place }) => `/bots/${place.botId}/links`,
    picture: ['open-links', (page) => page.getByText('Table 7').waitFor()],
    windows: ['New open link'],
  },
  {
    path: ({ place }) => `/bots/${place.botId}/edit`,
    picture: ['editor', (page) => page.getByRole('list', { name: 'Steps', exact: true }).waitFor()],
    windows: [],
    parameters: ['version', 'preview', 'view'],
  },
  {
    path: ({ place }) => `/bots/${place.botId}/edit?view=map`,
    picture: ['map', (page) => page.getByLabel('Map of the steps').getByRole('button').first().waitFor()],
  },
  {
    path: ({ place }) => `/bots/${place.botId}/edit?view=source`,
    picture: ['source', (page) => page.getByRole('textbox', { name: 'Definition of the bot' }).waitFor()],
  },
  {
    path: () => '/access',
    picture: ['access', (page) => page.getByText('Last used').first().waitFor()],
    windows: ['New API key'],
  },
  {
    path: () => '/access/members',
    picture: ['members', (page) => page.getByText('Olga Operator').first().waitFor()],
    windows: ['Invite'],
  },
  {
    path: () => '/access/audit?action=bot.published',
    picture: [
      'audit',
      (page) => page.getByRole('listitem').filter({ hasText: 'bot.published' }).first().waitFor(),
    ],
    windows: [],
    parameters: ['actor', 'action', 'target', 'from', 'to', 'cursor'],
  },
  { path: () => '/settings', windows: [], parameters: ['page'] },
  {
    path: () => '/interactions?customer=nobody',
    picture: ['nothing-found', (page) => page.getByText('No interaction matches').waitFor()],
  },
];

/** Returns a path without its query. */
export function withoutQuery(path: string): string {
  return path.replace(/\?.*/, '');
}
