// Preloaded into all processes of a test run: see recorded-statements.ts.

import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = new URL(import.meta.url).searchParams.get('folder');
const seen = new Set();

function record(kind, text) {
  const key = `${kind} ${text}`;
  if (seen.has(key)) return;
  seen.add(key);
  appendFileSync(join(folder, `${process.pid}.ndjson`), `${JSON.stringify({ kind, text })}\n`);
}

// Node's channel of what `require` has loaded.
subscribe('tracing:module.require:end', ({ parentFilename, id, result }) => {
  if (id !== './client' || !parentFilename.endsWith('/pg/lib/index.js')) return;
  const { query } = result.prototype;
  result.prototype.query = function recordAndQuery(...args) {
    const text = typeof args[0] === 'string' ? args[0] : args[0]?.text;
    const { user, application_name: name } = this.connectionParameters;
    if (user?.startsWith('parley_') && name !== 'migration' && name !== 'test') record('sent', text);
    return query.apply(this, args);
  };
});

const isOfLibrary =
  /node:|node_modules|record-statements|packages\/postgres\/src\/\w+\/(?:connections|dialect|prepared)\./;

// Of packages/postgres/src/connecting/connections.ts, in the stack of the code that runs the statement.
subscribe('parley.postgres.statement', ({ text, kind }) => {
  if (kind !== 'write' || seen.has(`write ${text}`)) return;
  const [, ...frames] = new Error().stack.split('\n');
  const caller = frames.find((frame) => !isOfLibrary.test(frame)) ?? '';
  if (!caller.includes('/tests/')) record('write', text);
});
