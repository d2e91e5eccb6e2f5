import type { OperatorAccess } from '@parley/local/demo/demo';
import { basic, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import fc from 'fast-check';
import { type Attack, get, type Target } from './attack.ts';
import { attacks } from './attacks.ts';
import { plainFault } from './judge.ts';
import { sendPieces } from './wire.ts';

export interface SocketTarget {
  target: Target;
  workspace: TestWorkspace;
}

export async function createSocketTarget(baseUrl: string, operator: OperatorAccess): Promise<SocketTarget> {
  const workspace = await createWorkspace(baseUrl, operator);
  await workspace.api.post('/customers', { id: 'c' });
  const { host } = new URL(baseUrl);
  const authorization = basic(workspace.apiKey, workspace.apiSecret);
  return {
    workspace,
    target: { host, authorization, workspace: `/v1/workspaces/${workspace.id}`, forbidden: 'smuggled' },
  };
}

// Longer than an answer takes on a busy machine.
const quietMs = 20_000;

/** Returns the fault in the server's reaction to an attack; undefined without one. */
export async function attackFault(
  baseUrl: string,
  attack: Attack,
  { target, workspace }: SocketTarget,
): Promise<string | undefined> {
  const { statuses, closes } = attack;
  const wanted = closes ? {} : { answers: statuses.length };
  const seen = await sendPieces(baseUrl, attack.pieces(target), { ...wanted, quietMs });
  const given = seen.answers.map(({ status }) => status);
  const isRight =
    given.every((status, index) => statuses[index]?.includes(status)) &&
    statuses.every((those, index) => those.includes(given[index] ?? 0));
  if (!isRight)
    return `answers ${JSON.stringify(given)}, not ${JSON.stringify(statuses)}; ${seen.answers[0]?.body.slice(0, 300)}`;
  if (closes && !seen.isClosed) return 'keeps the connection';
  if (seen.rest.length > 0) return 'sends more than its answers';
  const fault = seen.answers.map((answer) => plainFault(answer)).find(Boolean);
  if (fault) return fault;
  const smuggled = await workspace.api.get(`/customers/${target.forbidden}`);
  return smuggled.status === 404 ? undefined : 'a hidden request was accepted';
}

/**
 * Sends attacks with a few changed bytes. The server must send valid answers or close the connection. A changed attack
 * may be a valid request, so the workspace cannot be used for further attacks.
 */
export async function fuzzSockets(
  baseUrl: string,
  from: SocketTarget,
  { connections, seed, ended }: { connections: number; seed: number; ended?: AbortSignal },
): Promise<string[]> {
  const { target } = from;
  const bases = attacks.map((attack) =>
    Buffer.concat(attack.pieces(target).map((piece) => Buffer.from(piece))).subarray(0, 70_000),
  );
  const bent = fc
    .record({
      base: fc.constantFrom(...bases),
      edits: fc.array(
        fc.record({ at: fc.nat(1_200), gone: fc.nat(3), put: fc.uint8Array({ maxLength: 4 }) }),
        { maxLength: 4 },
      ),
      cuts: fc.array(fc.nat(1_200), { maxLength: 3 }),
      next: fc.boolean(),
    })
    .map(({ base, edits, cuts, next }) => {
      const edited = edits.reduce(
        (bytes, { at, gone, put }) => Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + gone)]),
        base,
      );
      const whole = next ? Buffer.concat([edited, Buffer.from(get(target))]) : edited;
      return piecesOf(
        whole,
        cuts.toSorted((one, other) => one - other),
      );
    });
  const faults: string[] = [];
  const pending = fc.sample(bent, { numRuns: connections, seed }).values();
  const work = async (): Promise<void> => {
    for (const pieces of pending) {
      if (ended?.aborted) return;
      try {
        const { answers } = await sendPieces(baseUrl, pieces, { quietMs: bentQuietMs });
        const fault = answers.map((answer) => plainFault(answer)).find(Boolean);
        if (fault)
          faults.push(
            `${fault}\n${JSON.stringify(pieces.map((piece) => piece.toString('latin1').slice(0, 1_500)))}`,
          );
      } catch (error) {
        faults.push(
          `${String(error)}\n${JSON.stringify(pieces.map((piece) => piece.toString('latin1').slice(0, 1_500)))}`,
        );
      }
    }
  };
  await Promise.all(Array.from({ length: 32 }, work));
  return faults;
}

// The silence after which this side closes an open connection.
const bentQuietMs = 300;

function piecesOf(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.filter((cut) => cut < bytes.length), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

/** Clients that stop in the middle of a request, with the time limit for an error. */
export const slowClients: readonly { name: string; pieces: (to: Target) => string[]; endsMsMax: number }[] = [
  { name: 'only a part of a header', pieces: (to) => [get(to).slice(0, 60)], endsMsMax: 25_000 },
  {
    name: 'a body that stops',
    pieces: (to) => [
      get(to, 'Content-Type: application/json', 'Content-Length: 10').replace('GET', 'POST'),
      '{',
    ],
    endsMsMax: 60_000,
  },
];

/** Returns the fault in how the server ends a client that stops. */
export async function slowFault(
  baseUrl: string,
  { pieces, endsMsMax }: (typeof slowClients)[number],
  { target }: SocketTarget,
): Promise<string | undefined> {
  const { answers, isClosed } = await sendPieces(baseUrl, pieces(target), { quietMs: endsMsMax });
  const statuses = answers.map(({ status }) => status);
  if (!isClosed || statuses.some((status) => status !== 408))
    return `answers ${JSON.stringify(statuses)}, ${isClosed ? '' : 'not '}closed`;
  return answers.map((answer) => plainFault(answer)).find(Boolean);
}
