import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// Takes what is exported to it (OTLP over HTTP) and forgets it. Answers the first message with its port.
process.on('disconnect', () => process.exit(0));
process.once('message', () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200).end());
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
