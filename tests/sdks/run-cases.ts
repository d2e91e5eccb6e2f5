import { text } from 'node:stream/consumers';
import { createClient, ParleyError, signCustomerToken } from '@parley/client';
import { createPublicClient } from '@parley/client/public';
import { verifyWebhook, WebhookVerificationError } from '@parley/client/webhook';
import { filled } from './filled.ts';
import type { CallStep, Case, Outcome, RunnerInput, RunnerOutput, Step } from './case.ts';

// The runner of the cases for TypeScript.

type Method = (...args: unknown[]) => unknown;

const { baseUrl, variables, cases } = JSON.parse(await text(process.stdin)) as RunnerInput;
const output: RunnerOutput = { outcomes: {}, variables };
for (const [index, one] of cases.entries())
  output.outcomes[one.name] = await runCase(one, `${baseUrl}/${index}`);
process.stdout.write(JSON.stringify(output));

async function runCase(one: Case, url: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const step of one.steps) {
    try {
      const value = await runStep(filled(step, variables) as Step, one, url);
      for (const [name, path] of Object.entries(step.save ?? {})) variables[name] = valueAt(value, path);
      outcomes.push({ value });
    } catch (error) {
      outcomes.push({ error: described(error) });
    }
  }
  return outcomes;
}

async function runStep(step: Step, one: Case, url: string): Promise<unknown> {
  if ('sign' in step)
    return signCustomerToken({ ...step.sign, workspaceId: String(variables['workspaceId']) });
  if ('verify' in step) {
    const { headers, body, secrets, now, toleranceSeconds } = step.verify;
    const options = {
      now: new Date(now * 1000),
      ...(toleranceSeconds !== undefined && { toleranceSeconds }),
    };
    const event = await verifyWebhook({ headers, body: new TextEncoder().encode(body) }, secrets, options);
    return { ...event, sentAt: event.sentAt.getTime() / 1000, test: event.test === true };
  }
  for (const until = Date.now() + 20_000; ; ) {
    const value = await runCall(step, one, url);
    const count = Array.isArray(value) ? value.length : value === null ? 0 : 1;
    if (count >= (step.until ?? 0) || Date.now() > until) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function runCall(step: CallStep, one: Case, url: string): Promise<unknown> {
  const { path = [], body, query, options, read = 'items' } = step;
  const method = step.call
    .split('.')
    .reduce<unknown>(
      (object, name) => (object as Record<string, unknown>)[name],
      clientOf(step, one, url),
    ) as Method;
  const { timeoutSeconds, ...others } = options ?? {};
  const args = [
    ...path,
    ...(body ? [body] : []),
    // A query has a default, so it does not count.
    ...(query ? [query] : options && method.length === path.length + (body ? 1 : 0) ? [{}] : []),
    ...(options ? [{ ...others, ...(timeoutSeconds && { timeoutMs: timeoutSeconds * 1000 }) }] : []),
  ];
  const called = method(...args) as Promise<unknown> &
    AsyncIterable<unknown> & {
      pages?: () => AsyncIterable<{ data: unknown[] }>;
      csv?: () => Promise<ReadableStream<Uint8Array>>;
      answer?: () => Promise<{ etag?: string; isReplayed: boolean }>;
    };
  if (step.answer) {
    const { etag, isReplayed } = (await called.answer?.()) ?? {};
    return { etag, isReplayed };
  }
  if (read === 'csv' && called.csv) return text(await called.csv());
  if (!(Symbol.asyncIterator in called)) {
    const value = await (called as Promise<unknown>);
    return value instanceof Uint8Array ? Buffer.from(value).toString() : value;
  }
  if (read === 'page' || step.call.endsWith('createBulk')) {
    const page = (await called) as { data: unknown };
    return read === 'page' ? page : page.data;
  }
  const items: unknown[] = [];
  const iterated = read === 'pages' ? called.pages?.() : called;
  for await (const item of iterated ?? [])
    items.push(read === 'pages' ? (item as { data: unknown }).data : item);
  return items;
}

function clientOf({ of = 'workspace' }: CallStep, { client = {} }: Case, url: string): unknown {
  const { timeoutSeconds, ...others } = client;
  const connection = { baseUrl: url, ...others, ...(timeoutSeconds && { timeoutMs: timeoutSeconds * 1000 }) };
  const { workspaceId, apiKey, apiSecret, sessionToken } = variables as Record<string, string>;
  const browser = createPublicClient(connection);
  if (of === 'public') return browser;
  if (of === 'session')
    return browser.session({ workspaceId: `${workspaceId}`, sessionToken: `${sessionToken}` });
  const parley = createClient({ ...connection, apiKey: `${apiKey}`, apiSecret: `${apiSecret}` });
  return of === 'parley' ? parley : parley.workspace(`${workspaceId}`);
}

function described(error: unknown): Extract<Outcome, { error: unknown }>['error'] {
  if (error instanceof ParleyError) {
    const { status, type, detail, requestId, errors } = error;
    const kind = error.constructor.name.replace(/Error$/, '');
    return { kind, type, detail, errors, ...(status && { status }), ...(requestId && { requestId }) };
  }
  if (error instanceof WebhookVerificationError) return { kind: 'verification', detail: error.message };
  if (error instanceof TypeError || error instanceof RangeError)
    return { kind: 'argument', detail: error.message };
  throw error;
}

function valueAt(value: unknown, path: string): unknown {
  const steps = path.split('.').filter(Boolean);
  return steps.reduce<unknown>((object, name) => (object as Record<string, unknown> | null)?.[name], value);
}
