import { actionNames } from '@parley/contracts/audit-actions';
import { withGenerated } from './generated-part.ts';

/** Returns docs/access/audit.md with the table of the actions. */
export function auditDocument(text: string): string {
  const rows = Object.entries(actionNames).map(([action, name]) => `| \`${action}\` | ${name} |`);
  return withGenerated(text, ['| action | what |', '|---|---|', ...rows].join('\n'));
}
