import type { Command } from 'commander';
import { type Api, apiCommand, type ApiOptions, called, openApi } from '../api.ts';
import { perform } from '../apply/perform.ts';
import { type Change, type Plan, planOf, TwinWebhooks } from '../apply/plan.ts';
import { type Desired, readFolder } from '../apply/read-folder.ts';
import { readPresent } from '../apply/read-present.ts';
import { changeJson, planText, titleOf } from '../apply/report.ts';
import { counted } from '../counted.ts';
import { Exit, Failure } from '../failure.ts';
import { print, printWarnings, writeText } from '../output.ts';
import type { Shell } from '../shell.ts';

const files = `
DIR has the settings of a workspace in its files (.yaml, .yml, .json), and bots in those of
DIR/bots. Everything that no file names stays as it is. Secrets are {env: NAME}.`;

const planHelp = `${files}
Exit codes: 0 without a difference, 2 with one, 1 for a failure or wrong usage.

Example:
  parley plan -f workspace --prune`;

const applyHelp = `${files}
All files are checked before the first change. After a failure, the same command continues.

Example:
  parley apply -f workspace`;

interface FolderOptions extends ApiOptions {
  folder: string;
  prune?: true;
  secrets?: true;
}

export function addApplyCommands(program: Command, shell: Shell): void {
  const plan = withFolder(program.command('plan'))
    .description('show the differences between a workspace and its files, and change nothing')
    .addHelpText('after', planHelp);
  apiCommand<FolderOptions>(plan, shell, async ({ options, print }) => {
    const { plan } = await prepare(options, shell);
    print(planJson(plan), planText(plan));
    if (plan.changes.length > 0) throw new Exit(2);
  });

  const apply = withFolder(program.command('apply'))
    .description('make a workspace as its files describe it')
    .addHelpText('after', applyHelp);
  apiCommand<FolderOptions>(apply, shell, async ({ options }) => {
    const { plan, api } = await prepare(options, shell);
    refuseDeletion(plan, options);
    if (!options.json) writeText(shell.stdout, planText(plan));
    await performAll(plan, api, options, shell);
  });
}

function withFolder(command: Command): Command {
  return command
    .requiredOption('-f, --folder <dir>', 'the folder')
    .option('--prune', 'delete webhooks that no file names, and let a shorter retention delete interactions')
    .option('--secrets', 'set all secrets again, because the API does not show whether they are the same');
}

async function prepare(options: FolderOptions, shell: Shell): Promise<{ plan: Plan; api: Api }> {
  const desired = await readFolder(options.folder, shell);
  if (!options.json)
    printWarnings(
      shell,
      desired.bots.flatMap(({ warnings }) => warnings),
    );
  const api = await openApi(options, shell);
  return { plan: await planWith(api, desired, options), api };
}

async function planWith(api: Api, desired: Desired, options: FolderOptions): Promise<Plan> {
  try {
    const plan = planOf(desired, await readPresent(api, desired), options);
    const retention = plan.changes.find(({ kind }) => kind === 'retention');
    if (!retention || !desired.retention) return plan;
    const { interactions } = await called(api.workspace.retention.preview(desired.retention.value));
    return { ...plan, deletedNow: interactions };
  } catch (error) {
    if (!(error instanceof TwinWebhooks)) throw error;
    const faults = [error.from.place({ pointer: '/url', detail: error.message })];
    throw new Failure('a URL does not identify a webhook', { type: 'twin-webhooks', faults });
  }
}

function planJson({ changes, kept, deletedNow }: Plan) {
  return { changes: changes.map(changeJson), kept: kept.map(({ id, url }) => ({ id, url })), deletedNow };
}

/** Deleted interactions cannot come back. */
function refuseDeletion({ changes, deletedNow }: Plan, { prune }: FolderOptions): void {
  const change = changes.find(({ kind }) => kind === 'retention');
  if (prune || deletedNow === 0 || change?.kind !== 'retention') return;
  const detail = `Deletes ${counted(deletedNow, 'interaction')} now`;
  throw new Failure('the retention deletes interactions: pass --prune; nothing was changed', {
    type: 'deletes-interactions',
    faults: [change.from.place({ pointer: '', detail })],
  });
}

async function performAll({ changes }: Plan, api: Api, { json }: FolderOptions, shell: Shell): Promise<void> {
  const done: Change[] = [];
  const finish = (): void => {
    if (json)
      print(
        shell,
        json,
        { done: done.map(changeJson), left: changes.slice(done.length).map(changeJson) },
        '',
      );
  };
  for (const change of changes) {
    try {
      await perform(change, api, shell);
    } catch (error) {
      finish();
      throw error instanceof Failure ? partFailure(error, change, done.length, changes.length) : error;
    }
    done.push(change);
    if (!json) writeText(shell.stdout, `done: ${titleOf(change)}`);
  }
  finish();
}

function partFailure(error: Failure, change: Change, done: number, all: number): Failure {
  const { type, message, faults } = error;
  const subject = change.kind === change.name ? change.kind : `${change.kind} ${change.name}`;
  const text = `${subject}: ${message} (${done} of ${counted(all, 'change')} done; the same command continues)`;
  return new Failure(text, { type, faults, cause: error });
}
