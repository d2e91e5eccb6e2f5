import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { methodAccess } from '@parley/contracts/method-access';
import { expect, test } from 'vitest';
import { readRpcCalls } from '../rpc-calls.ts';

const root = resolve(import.meta.dirname, '../../..');

/** The methods for consumers of other teams, of which `examples/consumer` is one. */
const ofConsumers = [
  '/parley.events.v1.EventLogService/ListEvents',
  '/parley.interaction.v1.FactsService/ListConversationFacts',
];
/** What only customer services of release 0.2.0 call. */
const ofEarlierRelease = 'customer /parley.webhook.v1.WebhookService/RemoveEvents';
const listEventBodies = '/parley.interaction.v1.InteractionService/ListEventBodies';

test('each caller may call what its code calls, no more and no less', { timeout: 240_000 }, () => {
  const { byCaller, byPortal } = readRpcCalls();
  const declared = new Set<string>();
  for (const [path, { callers }] of methodAccess) {
    for (const caller of callers) declared.add(`${caller} ${path}`);
  }
  const called = new Set([
    ofEarlierRelease,
    ...ofConsumers.map((path) => `consumer ${path}`),
    ...[...ofConsumers, listEventBodies].map((path) => `bodyreader ${path}`),
  ]);
  for (const [caller, paths] of byCaller) for (const path of paths) called.add(`${caller} ${path}`);
  expect([...called].toSorted()).toEqual([...declared].toSorted());
  // A grant of the portal is accepted by what its operations call.
  const open = [...methodAccess].filter(([, { grant }]) => grant === 'portal').map(([path]) => path);
  const needed = [...byPortal].filter((path) => methodAccess.get(path)?.grant !== 'none');
  expect(open.toSorted()).toEqual(needed.toSorted());
});

test('docs/security.md gives the reason of each method that needs no grant', () => {
  const text = readFileSync(resolve(root, 'docs/security.md'), 'utf8');
  const [, section = ''] = /## Methods without a grant\n(.*?)\n## /s.exec(text) ?? [];
  const open = [...methodAccess].filter(
    ([, { callers, grant }]) => callers.includes('gateway') && grant === 'none',
  );
  const names = open.map(([path]) => path.slice(path.lastIndexOf('/') + 1));
  const rows = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(new Set(rows)).toEqual(new Set(names));
});
