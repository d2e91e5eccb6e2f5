import type { OperatorAccess } from '@parley/local/demo/demo';
import { type ApiDocument, Contract } from '@parley/testing/setup/contract';
import fc from 'fast-check';
import { callsOf } from './calls.ts';
import { surfaceOf } from './document.ts';
import { faultOf } from './judge.ts';
import { openLine, type WireAnswer } from './wire.ts';
import { createWorld, learn, type World } from './world.ts';

interface FuzzOptions {
  baseUrl: string;
  operator: OperatorAccess;
  document: ApiDocument;
  calls: number;
  seed: number;
  progress?: (made: number) => void;
  /** Aborted when the run must end. */
  ended?: AbortSignal;
}

export interface FuzzOutcome {
  calls: number;
  /** How often each answer occurred: `createCustomer 400`. */
  counts: Map<string, number>;
  /** The faults, each with the bytes of the request. */
  faults: string[];
}

const batchCalls = 1_000;
const lines = 12;
const faultsMax = 20;

/**
 * Calls every operation of the document and checks the answers. After a thousand calls, a plain call must succeed,
 * and all data of the workspace must match the document. The seed decides the requests, except for ids.
 */
export async function fuzzOperations(options: FuzzOptions): Promise<FuzzOutcome> {
  const { baseUrl, document, seed } = options;
  const surface = surfaceOf(document);
  const contract = new Contract(document);
  const outcome: FuzzOutcome = { calls: 0, counts: new Map(), faults: [] };

  const judge = (method: string, path: string, bytes: Buffer, answer: WireAnswer | undefined): void => {
    const fault = answer
      ? faultOf(contract, method, path, answer)
      : 'the connection was closed without an answer';
    if (fault) outcome.faults.push(`${fault}\n${printable(bytes)}`);
  };

  const runBatch = async (batch: number, world: World): Promise<void> => {
    const numRuns = Math.min(batchCalls, options.calls - outcome.calls);
    const made = fc.sample(callsOf(surface, world, new URL(baseUrl).host), { seed: seed + batch, numRuns });
    const pending = made.values();
    const work = async (): Promise<void> => {
      using line = openLine(baseUrl);
      for (const { operationId, method, path, bytes } of pending) {
        const answer = await line.call(method, bytes);
        judge(method, path, bytes, answer);
        if (!answer) continue;
        const name = `${operationId} ${answer.status}`;
        outcome.counts.set(name, (outcome.counts.get(name) ?? 0) + 1);
        if (answer.status === 200 && method === 'POST') learn(world, operationId, answer.body);
      }
    };
    await Promise.all(Array.from({ length: lines }, work));
    outcome.calls += numRuns;
  };

  for (let batch = 0; outcome.calls < options.calls; batch += 1) {
    if (options.ended?.aborted || outcome.faults.length > faultsMax) break;
    const world = await createWorld(baseUrl, options.operator);
    await runBatch(batch, world);
    await readAll(baseUrl, world, judge);
    options.progress?.(outcome.calls);
  }
  return outcome;
}

/** Reads all data of the workspace: stored data must be readable. */
async function readAll(
  baseUrl: string,
  { workspace, authorizations }: World,
  judge: (method: string, path: string, bytes: Buffer, answer: WireAnswer | undefined) => void,
): Promise<void> {
  using line = openLine(baseUrl);
  const read = async (path: string): Promise<Shown> => {
    const { host } = new URL(baseUrl);
    const bytes = Buffer.from(
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorizations.key}\r\n\r\n`,
    );
    const answer = await line.call('GET', bytes);
    judge('GET', path, bytes, answer);
    if (answer?.status !== 200) throw new Error(`${path} is ${answer?.status}: ${answer?.body}`);
    return JSON.parse(answer.body) as Shown;
  };
  for (const list of ['customers', 'interactions', 'bots', 'webhooks']) {
    const path = `/v1/workspaces/${workspace.id}/${list}`;
    let pages = 1;
    for (let page = 1; page <= pages; page += 1) {
      const isPaged = list === 'customers' || list === 'interactions';
      const { data, meta } = await read(isPaged ? `${path}?page=${page}&pageSize=50` : path);
      pages = meta?.totalPages ?? 1;
      for (const { id } of data) await read(`${path}/${encodeURIComponent(id)}`);
    }
  }
}

interface Shown {
  data: { id: string }[];
  meta: { totalPages: number } | null;
}

const printedMax = 1_500;

function printable(bytes: Buffer): string {
  return JSON.stringify(bytes.toString('latin1', 0, printedMax));
}
