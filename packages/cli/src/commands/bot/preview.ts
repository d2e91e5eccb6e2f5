import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Command, Option } from 'commander';
import { addBeginningOptions, type BeginningOptions, customerOf, readBeginning } from '../../beginning.ts';
import { Failure, usageFailure } from '../../failure.ts';
import { print, printFailure } from '../../output.ts';
import { parley } from '../../own-command.ts';
import { landingScript } from '../../preview/landing-script.ts';
import { servePreview } from '../../preview/server.ts';
import { watchFile } from '../../preview/watch-file.ts';
import { createWorkbench, type Workbench } from '../../preview/workbench.ts';
import type { GlobalOptions } from '../../target.ts';

const example = `
Example:
  ${parley} bot preview feedback.json --open --context productName=Skylark --customer first=Ada

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
    using _watch = watchFile(file, () => void reload(workbench, options.json));
    await using server = await servePreview(workbench, await landingScript(), options.port);
    const { url } = server;
    print(options.json, { url }, `The preview of ${file} is at ${url}\nCtrl-C ends it.`);
    if (typeof first === 'object' && 'failure' in first) printFailure(false, first.failure);
    if (options.open) openInBrowser(url);
    await stopSignal();
  });
}

/** Returns when somebody ends it. */
async function stopSignal(): Promise<void> {
  await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
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
