import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** An egress proxy that connects to this machine for every target, or answers `refusal`. */
export async function startProxy({ port = 0, refusal }: { port?: number; refusal?: string } = {}) {
  const asked: { authority: string; authorization: string | undefined }[] = [];
  const sockets: Socket[] = [];
  const server = createServer();
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const { url: authority = '', headers } = request;
    asked.push({ authority, authorization: headers['proxy-authorization'] });
    if (refusal !== undefined) return socket.end(refusal);
    const onward = connect(Number(authority.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    sockets.push(socket, onward);
    for (const end of [socket, onward]) end.on('error', () => {});
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    url: new URL(`http://user:p%40ss@127.0.0.1:${address.port}`),
    asked,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await closed;
    },
  };
}
