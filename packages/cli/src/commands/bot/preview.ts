import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buildWidget } from '@parley/widget/build';
import { widgetFiles } from '@parley/widget/files';
import { type Command, Option } from 'commander';
import { addBeginningOptions, type BeginningOptions, customerOf, readBeginning } from '../../beginning.ts';
import { Failure, usageFailure } from '../../failure.ts';
import { print, printFailure } from '../../output.ts';
import { servePreview } from '../../preview/server.ts';
import { watchFile } from '../../preview/watch-file.ts';
import { createWorkbench, type Workbench } from '../../preview/workbench.ts';
import type { GlobalOptions } from '../../target.ts';

const example = `
Example:
  parley bot preview nps.json --open --context productName=Skylark --customer first=Ada

The page shows the talk as a customer sees it, and beside it answers and
evaluation. When the file is saved the talk begins anew with the answers so far;
faults are shown there and here. With --as-model you answer the llm steps beside
the talk. It listens on this machine only, keeps nothing and ends with Ctrl-C.`;

interface PreviewOptions extends GlobalOptions, BeginningOptions {
  port: number;
  open?: boolean;
  asModel?: boolean;
}

/** Adds `bot preview`. */
export function addPreview(bot: Command): void {
  const command = bot
    .command('preview')
    .description('try a bot in the browser while you write it, without a system')
    .argument('<file>', 'the definition, as JSON')
    .addOption(new Option('--port <port>', 'where to listen').argParser(readPort).default(0, 'a free one'))
    .option('--open', 'open the page in the browser')
    .option('--as-model', 'answer the llm steps, too; without it they fail')
    .addHelpText('after', example);
  addBeginningOptions(command).action(async (file: string, _, command: Command) => {
    const options = command.optsWithGlobals<PreviewOptions>();
    await using opened = new AsyncDisposableStack();
    const stopped = stopSignal(opened);
    const workbench = createWorkbench({
      file,
      beginningOf: (definition) => {
        const given = readBeginning(options, definition);
        return { ...given, customer: customerOf(given.customer) };
      },
      isModelPlayed: options.asModel ?? false,
    });
    const first = await workbench.reload();
    if (typeof first === 'object' && 'failure' in first && !first.failure.faults) throw first.failure;
    opened.use(watchFile(file, () => void reload(workbench, options.json)));
    await buildWidget();
    const landing = widgetFiles().find(({ name }) => name === 'landing.js');
    if (!landing) throw new Error('the landing page is not among the browser files');
    const { url } = opened.use(await servePreview(workbench, landing, options.port));
    print(options.json, { url }, `The preview of ${file} is at ${url}\nCtrl-C ends it.`);
    if (typeof first === 'object' && 'failure' in first) printFailure(false, first.failure);
    if (options.open) openInBrowser(url);
    await stopped;
  });
}

/** Until somebody ends it. */
async function stopSignal(opened: AsyncDisposableStack): Promise<void> {
  const over = new AbortController();
  const end = (): void => over.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, end);
    opened.defer(() => void process.off(signal, end));
  }
  await once(over.signal, 'abort');
}

async function reload(workbench: Workbench, json: boolean | undefined): Promise<void> {
  const outcome = await workbench.reload();
  if (json || outcome === 'unchanged') return;
  if ('failure' in outcome) return printFailure(false, outcome.failure);
  const { file, definition } = outcome.read;
  print(false, undefined, `${file} was read again: ${definition.key}, ${definition.steps.length} steps`);
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw usageFailure(`--port: ${text} is no port`);
  return port;
}

/** Where that does not work there is still the address to click on. */
function openInBrowser(url: string): void {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  spawn(opener, [url], { stdio: 'ignore', detached: true })
    .on('error', () =>
      printFailure(false, new Failure(`${opener} is not there: open ${url}`, { type: 'no-browser' })),
    )
    .unref();
}
