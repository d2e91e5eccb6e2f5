import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// Receives exports (OTLP over HTTP) and drops them. Answers the first message with its port.
process.on('disconnect', () => process.exit(0));
process.once('message', () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200).end());
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
