import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './app.ts';
import type { Settings } from './settings.ts';

// The baseline: one process in a conventional style. Its parent sends the settings and gets the port.
process.on('disconnect', () => process.exit(0));
process.once('message', (settings: Settings) => {
  const server = createServer(createApp(settings));
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
