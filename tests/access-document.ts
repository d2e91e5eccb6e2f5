import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { scopes } from '@parley/contracts/scopes';
import { withGenerated } from './generated-part.ts';

// The table of scopes in docs/access.md: `npm run generate` writes it, a check compares it.

const path = 'docs/access.md';

/** Returns the text of docs/access.md with its table of scopes. */
export function accessDocument(): string {
  const rows = Object.entries(scopes).map(([name, allows]) => `| \`${name}\` | ${allows} |`);
  return withGenerated(path, ['| scope | allows |', '|---|---|', ...rows].join('\n'));
}

if (import.meta.main) writeFileSync(resolve(import.meta.dirname, '..', path), accessDocument());
