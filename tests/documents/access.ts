import { scopes } from '@parley/contracts/scopes';
import { withGenerated } from './generated-part.ts';

/** Returns docs/access.md with its table of scopes. */
export function accessDocument(page: string): string {
  const rows = Object.entries(scopes).map(([name, allows]) => `| \`${name}\` | ${allows} |`);
  return withGenerated(page, ['| scope | allows |', '|---|---|', ...rows].join('\n'));
}
