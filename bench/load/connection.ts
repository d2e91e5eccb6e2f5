import { connect } from 'node:net';

/** One keep-alive connection that carries one call at a time. */
export interface Connection {
  /** Writes a request. Calls `onAnswer` or `onBroken` at its end. */
  send(request: string): void;
  close(): void;
}

interface Listener {
  onAnswer(status: number, answer: Buffer): void;
  onBroken(reason: string): void;
}

const headEnd = Buffer.from('\r\n\r\n');
const empty = Buffer.alloc(0);

/**
 * A minimal HTTP/1.1 client, because the load shares the machine with the measured system. Supports only answers with a
 * Content-Length.
 */
export function openConnection(port: number, listener: Listener): Connection {
  let received: Buffer = empty;
  let expectedBytes = 0;
  let isClosed = false;

  const broken = (reason: string): void => {
    if (isClosed) return;
    isClosed = true;
    socket.destroy();
    listener.onBroken(reason);
  };
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    if (expectedBytes === 0) {
      const end = received.indexOf(headEnd);
      if (end < 0) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, end + 2))?.[1];
      if (length === undefined) return broken('an answer without Content-Length');
      expectedBytes = end + headEnd.length + Number(length);
    }
    if (received.length < expectedBytes) return;
    const answer = received;
    received = empty;
    expectedBytes = 0;
    listener.onAnswer(Number(answer.toString('latin1', 9, 12)), answer);
  });
  socket.on('error', (error) => broken(error.message));
  socket.on('close', () => broken('the connection was closed'));

  return {
    send: (request) => void socket.write(request),
    close: () => {
      isClosed = true;
      socket.destroy();
    },
  };
}
