// Preloaded into all processes of a test run: see recorded-statements.ts.

import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = new URL(import.meta.url).searchParams.get('folder');
const seen = new Set();

// Node's channel of what `require` has loaded.
subscribe('tracing:module.require:end', ({ parentFilename, id, result }) => {
  if (id !== './client' || !parentFilename.endsWith('/pg/lib/index.js')) return;
  const { query } = result.prototype;
  result.prototype.query = function recordAndQuery(...args) {
    const text = typeof args[0] === 'string' ? args[0] : args[0]?.text;
    const { user, application_name: name } = this.connectionParameters;
    if (user?.startsWith('parley_') && name !== 'migration' && name !== 'test' && !seen.has(text)) {
      seen.add(text);
      appendFileSync(join(folder, `${process.pid}.ndjson`), `${JSON.stringify(text)}\n`);
    }
    return query.apply(this, args);
  };
});
