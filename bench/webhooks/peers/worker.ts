import { once } from 'node:events';
import { completions } from '../contents.ts';
import { openSend } from '../send.ts';
import { withAttemptLog } from './attempt-log.ts';
import { openGraphileWorker } from './graphile-worker.ts';
import { openMinimalSender } from './minimal-sender.ts';
import type { OpenPeer } from './peer.ts';

const peers = {
  'graphile-worker': openGraphileWorker,
  'graphile-worker with log': withAttemptLog(openGraphileWorker),
  'minimal sender': openMinimalSender,
} satisfies Record<string, OpenPeer>;

export type PeerName = keyof typeof peers;

/** The first message. */
export interface PeerStart {
  peer: PeerName;
  /** Its Postgres. */
  storeUrl: string;
  target: string;
}

/** Every later message; answered when it is done. */
export type PeerOrder = { enqueue: number } | 'start' | 'stop';

const batch = 1_000;

process.on('disconnect', () => process.exit());
const [{ peer: name, storeUrl, target }] = (await once(process, 'message')) as [PeerStart];
const peer = await peers[name](storeUrl, openSend(target));

async function follow(order: PeerOrder): Promise<void> {
  if (order === 'start') return peer.start();
  if (order === 'stop') return peer.stop();
  for (let left = order.enqueue; left > 0; left -= batch) {
    await peer.enqueue(completions(Math.min(batch, left)));
  }
}

process.on(
  'message',
  ({ order }: { order: PeerOrder }) => void follow(order).then(() => process.send?.('done')),
);
process.send?.('ready');
