import { IdentityAdminServiceService } from '@parley/contracts/identity/v1/identity';
import { connect } from '@parley/rpc/connect';
import { createClient } from '@parley/client';
import { findChromium } from '@parley/testing/servers/chromium';
import { chromiumFlags } from '@parley/testing/servers/chromium-flags';
import { chromium, type Locator, type Page } from 'playwright-core';
import { largeBot } from './editor/bot.ts';
import { type KeyTimes, typeIn, watchKeys } from './editor/keys.ts';
import { busyTime, timeOfTree } from './measure/processor-time.ts';
import { type Deployment, startDeployment } from './setup/deployment.ts';
import { numberFlag, readFlags, runBenchmark, show } from './setup/flags.ts';

const help = `usage: npm run bench:editor -- [FLAGS]

Measures what a key takes in the editor of bots, until it is drawn.

  --steps N   steps of the bot (60)
  --keys N    keys in each field (100)
  --json      prints one JSON value
  --help      this text
`;

const targetMs = 50;

interface Outcome {
  places: Record<string, KeyTimes>;
  processorsBusyElsewhere: number;
}

await runBenchmark(async (ended) => {
  const flags = readFlags({
    steps: { type: 'string', default: '60' },
    keys: { type: 'string', default: '100' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  });
  if (flags.help) {
    process.stdout.write(help);
    return;
  }
  const steps = numberFlag('steps', flags.steps, 10);
  const keys = numberFlag('keys', flags.keys, 1);
  await using stack = new AsyncDisposableStack();
  const deployment = stack.use(await startDeployment({ show, ended }));
  const executablePath = await findChromium(process.env, show);
  const browser = await chromium.launch({ executablePath, args: [...chromiumFlags.shell] });
  stack.defer(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
  page.setDefaultTimeout(60_000);
  await watchKeys(page);
  const address = await openBot(deployment, page, steps);

  const from = { busy: busyTime(), own: timeOfTree(process.pid), at: performance.now() };
  const places: Outcome['places'] = {};
  for (const [name, field] of fieldsOf(page, address, steps)) {
    show(`typing in ${name}`);
    places[name] = await typeIn(await field(), keys, ended);
  }
  const took = performance.now() - from.at;
  const others = busyTime() - from.busy - (timeOfTree(process.pid) - from.own);
  const outcome: Outcome = { places, processorsBusyElsewhere: Math.max(0, others) / 1_000 / took };
  process.stdout.write(flags.json ? `${JSON.stringify(outcome, null, 2)}\n` : reportOf(outcome, steps));
});

/** Creates a large bot, and signs in to the console. Returns the address of its editor. */
async function openBot({ system }: Deployment, page: Page, steps: number): Promise<string> {
  const { baseUrl, workspaceId, apiKey, apiSecret } = system.local();
  const client = createClient({ baseUrl, apiKey, apiSecret });
  const { id } = await client.workspace(workspaceId).bots.create(largeBot('large', steps));
  const { identity, operatorToken } = system.operator;
  using peer = connect(identity, { token: operatorToken });
  const link = { workspaceId, role: 'owner', name: 'Bench' };
  const admin = peer.client(IdentityAdminServiceService);
  const { code } = await admin.createConsoleLink(link, { requestId: 'bench' });
  await page.goto(`${baseUrl}/console/sign-in/link#${code}`);
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  return `${baseUrl}/console/w/${workspaceId}/bots/${id}/edit`;
}

/** Returns the fields in which somebody types, each of an editor that was opened just now. */
function fieldsOf(
  page: Page,
  address: string,
  steps: number,
): [name: string, open: () => Promise<Locator>][] {
  const open = async (view: string): Promise<void> => {
    await page.goto(`${address}?view=${view}`);
  };
  const card = (number: number): Locator =>
    page.getByRole('listitem', { name: new RegExp(`^Step ${number}: `) });
  const textOf = async (number: number): Promise<Locator> => {
    await open('steps');
    const text = card(number).getByRole('textbox', { name: 'Text', exact: true });
    await text.scrollIntoViewIfNeeded();
    return text;
  };
  const second = card(2);
  return [
    ['the text of the first step', () => textOf(1)],
    ['the text of the last step', () => textOf(steps)],
    [
      'an expression',
      async () => {
        await open('steps');
        await second.getByRole('button', { name: 'Write as an expression' }).click();
        return second.getByRole('combobox', { name: /Expression/ });
      },
    ],
    [
      'a translation',
      async () => {
        await open('translations');
        return page
          .getByRole('list', { name: /^Texts and their translations/ })
          .getByRole('textbox')
          .first();
      },
    ],
    // Last: what is typed there is no JSON, and the browser keeps it.
    [
      'the source',
      async () => {
        await open('source');
        return page.getByRole('textbox', { name: 'Definition of the bot' });
      },
    ],
  ];
}

function reportOf({ places, processorsBusyElsewhere }: Outcome, steps: number): string {
  const lines = Object.entries(places).map(([name, { p50, p95, max, shownMax, work }]) => {
    const figures = [p50, p95, max, shownMax, work].map((value) => value.toFixed(1).padStart(8)).join('');
    return `  ${name.padEnd(28)}${figures}  at most ${targetMs} ms: ${max <= targetMs ? 'met' : 'NOT MET'}`;
  });
  return [
    `Milliseconds from a key to the end of its frame, in a bot of ${steps} steps`,
    `  ${''.padEnd(28)}${['p50', 'p95', 'max', 'shown', 'work'].map((name) => name.padStart(8)).join('')}`,
    ...lines,
    '  shown: the longest by Event Timing, in steps of 8 ms',
    '  work: processor time of the page per key, with the checks, saves and previews between the keys',
    '',
    `processors busy elsewhere: ${processorsBusyElsewhere.toFixed(2)}`,
    '',
  ].join('\n');
}
