import type { Attack, Load } from '../attack.ts';
import { holdConnections } from '../sockets.ts';

const uploadBytes = 255_000;
const heldPolls = 500;
/** A session may read conversations 120 times a minute, and wait for each once. */
const pollsPerSession = 20;

/** Returns the head of a request with the attacker's key. */
function headOf({ attacker }: Attack, line: string, fields: readonly string[] = []): string {
  const all = [`${line} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: ${attacker.authorization}`, ...fields];
  return `${all.join('\r\n')}\r\n\r\n`;
}

/** Clients that wait, are slow, or have gone. */
export const connectionLoads: readonly Load[] = [
  { name: 'polls', does: '500 calls that wait for news of conversations', run: polls },
  {
    name: 'slow-readers',
    does: '64 connections that read a huge customer at 1 KB per second',
    run: (attack) =>
      holdConnections(attack, 64, {
        head: headOf(attack, `GET ${attack.base}/customers/huge`),
        eachSecond: (socket) => void socket.read(Math.min(1_024, socket.readableLength)),
      }),
  },
  {
    name: 'slow-uploads',
    does: '200 connections that send 255 KB at 1 KB per second',
    run: (attack) =>
      holdConnections(attack, 200, {
        head: headOf(attack, `POST ${attack.base}/customers`, [
          'Content-Type: application/json',
          `Content-Length: ${uploadBytes}`,
        ]),
        eachSecond: (socket) => void socket.write(' '.repeat(1_024)),
      }),
  },
  {
    name: 'slow-public-uploads',
    does: '200 connections that send 16 KB at 100 bytes/s without credentials',
    run: (attack) =>
      holdConnections(attack, 200, {
        head: `POST ${attack.visible}/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 16000\r\n\r\n`,
        eachSecond: (socket) => void socket.write(' '.repeat(100)),
      }),
  },
  {
    name: 'slow-heads',
    does: '500 connections that send a header field per second',
    run: (attack) =>
      holdConnections(attack, 500, {
        head: 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n',
        eachSecond: (socket) => void socket.write('X-Field: value\r\n'),
      }),
  },
  {
    name: 'pipelines',
    does: '8 connections that send 100 requests at once per second and read nothing',
    run: (attack) => {
      const request = headOf(attack, `GET ${attack.base}/interactions?pageSize=50`);
      return holdConnections(attack, 8, {
        head: request,
        eachSecond: (socket) => void socket.write(request.repeat(100)),
      });
    },
  },
  {
    name: 'new-connections',
    does: '150 calls per second, each on a new connection',
    run: ({ every, call, base }) =>
      every(150, () =>
        call({ method: 'GET', path: `${base}/customers/customer-1`, headers: { Connection: 'close' } }),
      ),
  },
  {
    name: 'abandoned-reads',
    does: '20 GET of a huge customer per second, given up after 50 ms',
    run: ({ every, call, base }) =>
      every(20, () => call({ method: 'GET', path: `${base}/customers/huge` }, { givesUpMs: 50 })),
  },
  {
    name: 'abandoned-pages',
    does: '50 pages per second in the middle of the customers, given up after 20 ms',
    run: ({ every, call, base, attacker }) =>
      every(50, () =>
        call(
          { method: 'GET', path: `${base}/customers?page=${Math.ceil(attacker.sizes.customers / 40)}` },
          { givesUpMs: 20 },
        ),
      ),
  },
  {
    name: 'abandoned-writes',
    does: '100 new interactions per second, given up after 5 ms',
    run: ({ every, call, base, attacker: { botId } }) =>
      every(100, (number) =>
        call(
          {
            method: 'POST',
            path: `${base}/interactions`,
            body: JSON.stringify({ customerId: `given-up-${number}`, botId }),
          },
          { givesUpMs: 5 },
        ),
      ),
  },
];

async function polls({ parallel, prepare, call, base, visible, sessions, attacker }: Attack): Promise<void> {
  const { workspaceId, botId } = attacker;
  const waiting = await Promise.all(
    Array.from({ length: pollsPerSession }, () =>
      prepare<{ id: string }>({
        method: 'POST',
        path: `${base}/interactions`,
        body: { customerId: 'poller', botId, status: 'Pending' },
      }),
    ),
  );
  const subject = { $case: 'customerId', value: 'poller' } as const;
  const tokens = await Promise.all(
    Array.from({ length: Math.ceil(heldPolls / pollsPerSession) }, () =>
      sessions.issue({ workspaceId, subject, fenceVersion: 0 }),
    ),
  );
  await parallel(heldPolls, (number) =>
    call({
      method: 'GET',
      path: `${visible}/conversations/${waiting[number % waiting.length]?.id}?wait=25`,
      headers: { Authorization: `Bearer ${tokens[Math.floor(number / pollsPerSession)]}` },
    }),
  );
}
