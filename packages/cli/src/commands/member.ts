import type { Member, Role } from '@parley/client';
import { roleNames } from '@parley/contracts/roles';
import { type Command, Option } from 'commander';
import { allOf, apiCommand, called } from '../api.ts';
import { usageFailure } from '../failure.ts';
import { table, utc } from '../output.ts';
import type { Shell } from '../shell.ts';

interface ChangeOptions {
  role?: Role;
  personalData?: 'yes' | 'no';
}

export function addMemberCommands(program: Command, shell: Shell): void {
  const member = program.command('member').description('people with roles in a workspace');

  const list = member
    .command('list')
    .description('list the members and the invitations, oldest first')
    .addHelpText('after', '\nExample:\n  parley member list');
  apiCommand(list, shell, async ({ open, print }) => {
    const { workspace } = await open();
    const members = await called(allOf(workspace.members.list({ limit: 50 })));
    print(members, memberTable(members));
  });

  const invite = withChange(member.command('invite'))
    .description('invite a person, and print the link of the invitation for the only time')
    .argument('<email>', 'the address; Parley sends no mail')
    .addHelpText('after', '\nExample:\n  parley member invite ada@shop.example --role editor');
  apiCommand<ChangeOptions>(invite, shell, async ({ options, open, print }, email: string) => {
    const { role, personalData } = changeOf(options);
    if (!role) throw usageFailure('an invitation needs --role ROLE');
    const { workspace } = await open();
    const invitation = { email, role, ...(personalData !== undefined && { personalData }) };
    const invited = await called(workspace.members.invite(invitation));
    print(invited, invited.url);
  });

  addChanges(member, shell);
}

function addChanges(member: Command, shell: Shell): void {
  const update = withChange(member.command('update'))
    .description('change the role of a member, or whether it may see personal data')
    .argument('<member>', 'the id of the member')
    .addHelpText(
      'after',
      '\nExample:\n  parley member update 01939f6a-2f40-7c3a-9d55-0123456789ab --role viewer',
    );
  apiCommand<ChangeOptions>(update, shell, async ({ options, open, print }, id: string) => {
    const change = changeOf(options);
    const { workspace } = await open();
    const changed = await called(workspace.members.update(id, change), `member ${id}`);
    print(changed, memberTable([changed]));
  });

  const remove = member
    .command('remove')
    .description('remove a member, or withdraw an invitation')
    .argument('<member>', 'the id of the member')
    .addHelpText('after', '\nExample:\n  parley member remove 01939f6a-2f40-7c3a-9d55-0123456789ab');
  apiCommand(remove, shell, async ({ open, print }, id: string) => {
    const { workspace } = await open();
    await called(workspace.members.remove(id), `member ${id}`);
    print({ memberId: id }, `${id} is removed`);
  });
}

function withChange(command: Command): Command {
  return command
    .addOption(new Option('--role <role>', 'what the member may do').choices(roleNames))
    .addOption(
      new Option('--personal-data <choice>', 'whether it may see personal data').choices(['yes', 'no']),
    );
}

function changeOf({ role, personalData }: ChangeOptions): { role?: Role; personalData?: boolean } {
  if (!role && !personalData) throw usageFailure('pass --role ROLE, --personal-data yes|no, or both');
  return { ...(role && { role }), ...(personalData && { personalData: personalData === 'yes' }) };
}

function memberTable(members: Member[]): string {
  const rows = members.map(({ memberId, name, email, role, personalData, status, ...member }) => [
    memberId,
    name ?? '-',
    email === null || member.isEmailVerified || status === 'invited'
      ? (email ?? '-')
      : `${email} (not verified)`,
    role,
    personalData ? 'yes' : 'no',
    status,
    utc(member.groupsMissingSince),
  ]);
  return table(
    ['MEMBER', 'NAME', 'EMAIL', 'ROLE', 'PERSONAL DATA', 'STATUS', 'GROUPS MISSING SINCE'],
    rows,
    'The workspace has no members.',
  );
}
