import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Demo, SampleBot } from './demo.ts';
import type { DemoCalls } from './demo-pages.ts';

/** How many conversations of the last 30 days each bot has. */
const conversations: Record<SampleBot, number> = {
  'nps-follow-up': 130,
  'candidate-screening': 35,
  'appointment-reminder': 35,
  'tea-survey': 35,
};

const firstNames = [
  'Ada',
  'Bela',
  'Chidi',
  'Dilan',
  'Esra',
  'Femi',
  'Grace',
  'Hana',
  'Ines',
  'Jonas',
  'Kaya',
  'Liam',
];
const lastNames = ['Archer', 'Baptiste', 'Castell', 'Duarte', 'Engel'];

/** The webhook's path at the gateway: the shop's own backend. */
const webhookPath = '/demo/webhook';

interface Options {
  workspace: DemoCalls;
  databaseUrl: string;
  show: (line: string) => void;
}

/**
 * Fills the demo workspace with customers, a webhook, and conversations of the last 30 days, unless it has them. The
 * engine holds the conversations, in a program of the interaction service: the API creates nothing in the past.
 */
export async function ensureDemoHistory(
  baseUrl: string,
  { workspaceId, bots }: Demo,
  { workspace, databaseUrl, show }: Options,
): Promise<void> {
  const customers = people();
  // All conversations are stored at once, and some of these customers have some.
  const held = await Promise.all(
    customers
      .slice(0, 8)
      .map(({ id }) => workspace.get<unknown[]>(`/interactions?customerId=${id}&pageSize=1`)),
  );
  if (held.some((some) => some.length > 0)) return;
  show('filling the demo workspace (--no-demo-history leaves that out)');
  for (const customer of customers) await workspace.post('/customers', customer, [409]);
  // A start that allows only public receivers refuses it: 400. It exists after a start that was interrupted: 409.
  const webhook = { url: baseUrl + webhookPath, secretToken: `demo-${workspaceId}`, isActive: true };
  await workspace.post('/webhooks', webhook, [400, 409]);
  const counts = Object.entries(conversations).map(([key, count]) => [bots[key as SampleBot], count]);
  await hold({ databaseUrl, workspaceId, bots: Object.fromEntries(counts), customers });
}

function people() {
  return firstNames.flatMap((firstName, row) =>
    lastNames.map((lastName, column) => ({
      id: `customer-${row * lastNames.length + column + 1001}`,
      firstName,
      lastName,
      email: `${firstName}.${lastName}@example.com`.toLowerCase(),
    })),
  );
}

async function hold(wanted: object): Promise<void> {
  const program = resolve(import.meta.dirname, '../../../../services/interaction/src/demo/main.ts');
  const child = spawn(process.execPath, [program], {
    env: { TZ: 'UTC' },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stdin.end(JSON.stringify(wanted));
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new Error(`the conversations of the demo could not be held: ${said.trim()}`);
}
