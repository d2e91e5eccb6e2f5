import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { validateDefinition } from '@parley/bot/definition';
import { expect, test } from 'vitest';
import type { BotFile } from '../files/bot-file.ts';
import { type Change, planOf, type Present, TwinWebhooks } from './plan.ts';
import { planText } from './report.ts';
import type { WebhookSettings } from './settings.ts';
import type { Described } from './settings-file.ts';

const sample = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../bot/samples/nps-follow-up.json'), 'utf8'),
) as Record<string, unknown>;

function from<Value>(value: Value): Described<Value> {
  const place = { file: 'a.yaml', line: 1, column: 1, frame: '' };
  return { value, file: 'a.yaml', place: (fault) => ({ ...fault, place }) };
}

function bot(value: Record<string, unknown>): BotFile {
  const result = validateDefinition(value);
  if ('faults' in result) throw new Error('the sample has faults');
  const { file, place } = from(value);
  return {
    file,
    text: JSON.stringify(value),
    value,
    repeated: [],
    place,
    definition: result.definition,
    warnings: [],
  };
}

const webhook = { id: '1', url: 'https://shop.example', isActive: true, event: 'InteractionCompleted' };
const options: NonNullable<NonNullable<Present['webhooks']>[number]['options']> = {
  headerNames: ['x-key'],
  rateLimit: null,
  ordering: 'none',
  asymmetricSignature: false,
  publicKeys: [],
  events: ['InteractionCompleted'],
  filter: null,
  envelope: false,
};
const settings: WebhookSettings = { url: webhook.url, secretToken: { env: 'TOKEN' } };
const none: Present = { bots: new Map() };

function webhookFields(wanted: Partial<WebhookSettings>, secrets = false): Change['fields'] {
  const present = { ...none, webhooks: [{ ...webhook, options }] };
  const desired = { webhooks: [from({ ...settings, ...wanted })], bots: [] };
  return planOf(desired, present, { secrets }).changes.flatMap(({ fields }) => fields);
}

test('what no file names is no difference', () => {
  expect(webhookFields({})).toEqual([]);
  const branding = {
    displayName: 'Shop',
    logoUrl: null,
    accentColor: null,
    endText: null,
    endLink: null,
    privacyText: null,
  };
  const plan = planOf({ branding: from({ accentColor: null }), bots: [] }, { ...none, branding });
  expect(plan).toEqual({ changes: [], kept: [], deletedNow: 0 });
  expect(planText(plan)).toBe('There are no differences.');
});

test('each field of a webhook that differs is shown, and an order of events or domains is none', () => {
  const rateLimit = { perSecond: 1, burst: 2 };
  expect(webhookFields({ rateLimit, envelope: false, isActive: false })).toEqual([
    { path: 'rateLimit', before: null, after: rateLimit },
    { path: 'isActive', before: true, after: false },
  ]);
  expect(webhookFields({ events: ['InteractionExpired', 'InteractionCompleted'] })).toMatchObject([
    { path: 'events', after: ['InteractionCompleted', 'InteractionExpired'] },
  ]);
  const domains = { allowedDomains: from(['https://b.example', 'https://a.example']), bots: [] };
  const present = { ...none, allowedDomains: ['https://a.example', 'https://b.example'] };
  expect(planOf(domains, present).changes).toEqual([]);
  expect(planOf(domains, { ...none, allowedDomains: ['https://c.example'] }).changes).toMatchObject([
    {
      fields: [
        { after: 'https://b.example' },
        { after: 'https://a.example' },
        { before: 'https://c.example' },
      ],
    },
  ]);
});

test('header fields are compared by name in any case, and secrets are shown as their variables', () => {
  expect(webhookFields({ headers: { 'X-Key': { env: 'KEY' } } })).toEqual([]);
  expect(webhookFields({ headers: { other: { env: 'KEY' } } })).toEqual([
    { path: 'headers.other', after: '(the value of KEY)' },
    { path: 'headers.x-key', before: '(secret)' },
  ]);
  expect(webhookFields({}, true)).toEqual([{ path: 'secretToken', after: '(the value of TOKEN)' }]);
});

test('a webhook that no file names is deleted by pruning, after all other changes', () => {
  const other = { ...webhook, id: '2', url: 'https://other.example' };
  const desired = { webhooks: [from(settings)], retention: from({ draftDays: 1 }), bots: [bot(sample)] };
  const present = { ...none, webhooks: [other] };
  const actions = (prune: boolean) =>
    planOf(desired, present, { prune }).changes.map(({ action, kind }) => `${action} ${kind}`);
  expect(actions(false)).toEqual(['create webhook', 'create bot', 'update retention']);
  expect(actions(true)).toEqual(['create webhook', 'create bot', 'update retention', 'delete webhook']);
  expect(planOf(desired, present).kept).toEqual([other]);
  expect(planOf({ bots: [] }, present, { prune: true }).changes).toEqual([]);
});

test('a URL of several webhooks identifies none', () => {
  const present = { ...none, webhooks: [webhook, { ...webhook, id: '2' }] };
  expect(() => planOf({ webhooks: [from(settings)], bots: [] }, present)).toThrow(TwinWebhooks);
});

test('a bot differs by its content, not by the order of its members', () => {
  const present = (definition: unknown): Present => ({
    bots: new Map([['nps-follow-up', { id: '1', version: 3, digest: '', definition }]]),
  });
  const turned = Object.fromEntries(Object.entries(sample).toReversed());
  expect(planOf({ bots: [bot(turned)] }, present(sample)).changes).toEqual([]);
  const plan = planOf({ bots: [bot({ ...sample, name: 'Leaf' })] }, present(sample));
  expect(plan.changes).toMatchObject([
    { action: 'update', version: 3, fields: [{ path: 'name', after: 'Leaf' }] },
  ]);
  expect(planText(plan)).toMatch(/^~ bot nps-follow-up, version 3\n {4}~ the bot\n[^]*\n1 to change\.$/);
});
