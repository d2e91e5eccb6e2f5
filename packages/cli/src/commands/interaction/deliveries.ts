import type { Command } from 'commander';
import { addApiOptions, apiHelp, type ApiOptions, called, openApi } from '../../api.ts';
import { readLimit } from '../../options/limit-option.ts';
import { print, table } from '../../output.ts';
import type { Shell } from '../../shell.ts';

const someId = '01939f6a-2f40-7c3a-9d55-0123456789ab';

export function addInteractionDeliveries(interaction: Command, shell: Shell): void {
  const command = interaction
    .command('deliveries')
    .description('list the newest deliveries of its events, to all webhooks')
    .argument('<id>', 'the interaction')
    .option('--limit <n>', 'how many (default: 20)', readLimit)
    .addHelpText('after', `\nExample:\n  parley interaction deliveries ${someId}\n${apiHelp}`);
  addApiOptions(command).action(async (id: string, _, command: Command) => {
    const options = command.optsWithGlobals<ApiOptions & { limit?: number }>();
    const { workspace } = await openApi(options, shell);
    const { data } = await called(
      workspace.interactions.listDeliveries(id, { limit: options.limit ?? 20 }),
      `interaction ${id}`,
    );
    const rows = data.map((one) => [
      one.webhookId,
      one.createdAt,
      one.event ?? '-',
      one.state,
      String(one.attempts),
      one.lastError ?? '-',
    ]);
    const heading = ['WEBHOOK', 'CREATED', 'EVENT', 'STATE', 'ATTEMPTS', 'LAST ERROR'];
    print(shell, options.json, data, table(heading, rows, 'There are no deliveries.'));
  });
}
