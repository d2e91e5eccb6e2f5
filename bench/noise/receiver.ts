import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Attack } from './attack.ts';

type Respond = (response: ServerResponse) => void;

export const answerAtOnce: Respond = (response) => void response.writeHead(200).end();
export const answerNothing: Respond = () => {};

/** Sends 16 KiB over about 13 seconds. */
export const answerSlowly: Respond = (response) => {
  response.writeHead(200, { 'Content-Length': 16 * 1_024 });
  let sent = 0;
  const timer = setInterval(() => {
    response.write('x'.repeat(256));
    sent += 256;
    if (sent < 16 * 1_024) return;
    clearInterval(timer);
    response.end();
  }, 200);
  response.once('close', () => clearInterval(timer));
};

/** Runs `work` with new webhooks of the attacker that a receiver in this process answers. Deletes them afterwards. */
export async function withWebhooks(
  { prepare, base }: Attack,
  { count, respond }: { count: number; respond: Respond },
  work: (webhookIds: readonly string[]) => Promise<void>,
): Promise<void> {
  const server = createServer((request, response) => {
    request.resume();
    respond(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const ids: string[] = [];
  try {
    for (let number = 0; number < count; number += 1) {
      const body = {
        url: `http://127.0.0.1:${port}/${number}`,
        secretToken: `${port} ${number}`,
        isActive: true,
      };
      ids.push((await prepare<{ id: string }>({ method: 'POST', path: `${base}/webhooks`, body })).id);
    }
    await work(ids);
  } finally {
    // Otherwise later completions would be sent to nobody.
    await Promise.allSettled(ids.map((id) => prepare({ method: 'DELETE', path: `${base}/webhooks/${id}` })));
    server.closeAllConnections();
    server.close();
  }
}
