import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { startTraceViewer } from './viewer.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test('a request whose target is not a URL gets 404, and the viewer continues', async () => {
  const port = await freePort();
  using _viewer = await startTraceViewer(port);
  const statusOf = async (path: string) => {
    const [response] = (await once(request({ port, host: '127.0.0.1', path }).end(), 'response')) as [
      IncomingMessage,
    ];
    response.resume();
    return response.statusCode;
  };
  expect(await statusOf('//')).toBe(404);
  expect(await statusOf('/traces')).toBe(200);
});
