import { connect, type Socket } from 'node:net';
import type { Attack } from './attack.ts';

/** A connection that does little every second. */
interface SlowConnection {
  /** Written at once. */
  head: string;
  /** Called every second. */
  eachSecond(socket: Socket): void;
}

const host = '127.0.0.1';

/**
 * Keeps this many connections open until the load ends, and reopens closed ones. Counts the status of the first answer
 * on each, and the closed ones.
 */
export async function holdConnections(attack: Attack, count: number, slow: SlowConnection): Promise<void> {
  await attack.parallel(count, () => hold(attack, slow));
}

function hold({ port, signal, count }: Attack, { head, eachSecond }: SlowConnection): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    const end = (): void => void socket.destroy();
    const timer = setInterval(() => eachSecond(socket), 1_000);
    signal.addEventListener('abort', end, { once: true });
    socket.once('connect', () => {
      socket.write(head);
      count('opened');
    });
    // Only the first bytes: whether a later one is read is the matter of the load.
    socket.once('readable', () => {
      const first = socket.read(12) as Buffer | null;
      if (first) count(first.toString('latin1').slice(9));
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      clearInterval(timer);
      signal.removeEventListener('abort', end);
      if (!signal.aborted) count('closed');
      // Not at once: a server that refuses connections must not be asked in a busy loop.
      setTimeout(resolve, signal.aborted ? 0 : 100);
    });
  });
}
