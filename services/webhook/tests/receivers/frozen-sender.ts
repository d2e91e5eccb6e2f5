import { once } from 'node:events';
import { patient, sending } from './sending.ts';

// A sender in its own process. It posts to the URL in its argument, and resolves the name when it receives a message.

const { origin, pathname: path } = new URL(process.argv[2] ?? '');
const lookup = async (): Promise<string[]> => {
  process.send?.('resolving');
  await once(process, 'message');
  return ['127.0.0.1'];
};
await using sender = sending({ ...patient, lookup });
const sendBeforeMs = performance.now() + Number(process.argv[3]);
const sendBefore = () => sendBeforeMs;
const result = await sender.post({ origin, path, headers: {}, body: Buffer.from('{}'), sendBefore });
process.send?.(result ? 'sent' : 'not sent');
process.disconnect();
