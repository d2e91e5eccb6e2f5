import type { AuditEvent } from '@parley/client';
import type { Command } from 'commander';
import { allOf, apiCommand, called } from '../api.ts';
import { table, utc } from '../output.ts';
import type { Shell } from '../shell.ts';

interface AuditOptions {
  from?: string;
  to?: string;
  actor?: string;
  action?: string;
  target?: string;
}

const example = `
Examples:
  parley audit --target 01939f6a-2f40-7c3a-9d55-0123456789ab --action webhook.updated
  parley audit --actor operator --from 2026-11-01T00:00:00Z --json

Lists who changed what in the workspace, newest first.`;

export function addAuditCommand(program: Command, shell: Shell): void {
  const command = program
    .command('audit')
    .description('list who changed what in a workspace, newest first')
    .option('--from <instant>', 'only events at or after this instant')
    .option('--to <instant>', 'only events before this instant')
    .option(
      '--actor <words>',
      'only what an API key, a person or "operator" did: words of its kind, id or name',
    )
    .option('--action <words>', 'only actions with these words, such as webhook.updated or deleted')
    .option('--target <id-or-kind>', 'only events about the thing with this id, or about things of this kind')
    .addHelpText('after', example);
  apiCommand<AuditOptions>(command, shell, async ({ options, open, print }) => {
    const { workspace } = await open();
    const { from, to, actor, action, target } = options;
    const query = { from, to, actor, action, target, limit: 100 };
    const events = await called(allOf(workspace.audit.list(query)));
    const heading = ['OCCURRED', 'ACTION', 'ACTOR', 'ADDRESS', 'TARGETS', 'CHANGES'];
    print(events, table(heading, events.map(rowOf), 'There are no events.'));
  });
}

function rowOf({ occurredAt, action, actor, clientAddress, targets, changes }: AuditEvent): string[] {
  const changed = Object.entries(changes).map(
    ([field, [before, after]]) => `${field} ${JSON.stringify(before)} -> ${JSON.stringify(after)}`,
  );
  return [
    utc(occurredAt),
    action,
    actor.name ? `${actor.id} (${actor.name})` : actor.id,
    clientAddress ?? '-',
    targets.map(({ type, id }) => `${type} ${id}`).join(', '),
    changed.join(', ') || '-',
  ];
}
