import { connect, type Socket } from 'node:net';

export interface WireAnswer {
  status: number;
  headers: Headers;
  body: string;
}

// Returns the bytes after all complete answers. Throws for bytes that are not HTTP.
function takeAnswers(bytes: Buffer, method = 'GET'): { answers: WireAnswer[]; rest: Buffer } {
  const answers: WireAnswer[] = [];
  let rest = bytes;
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) return { answers, rest };
    const [statusLine = '', ...lines] = rest.toString('latin1', 0, headEnd).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (!status) throw new Error(`is not HTTP: ${statusLine.slice(0, 100)}`);
    if (status < 200) {
      rest = rest.subarray(headEnd + 4);
      continue;
    }
    const headers = new Headers(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trim()];
      }),
    );
    const isEmpty = status === 204 || status === 304 || method === 'HEAD';
    const afterHead = rest.subarray(headEnd + 4);
    const whole =
      !isEmpty && headers.get('transfer-encoding') === 'chunked'
        ? takeChunks(afterHead)
        : takeBytes(afterHead, isEmpty ? 0 : Number(headers.get('content-length') ?? 0));
    if (!whole) return { answers, rest };
    answers.push({ status, headers, body: whole.body.toString() });
    rest = whole.rest;
  }
}

interface Taken {
  body: Buffer;
  rest: Buffer;
}

function takeBytes(bytes: Buffer, length: number): Taken | undefined {
  return length > bytes.length
    ? undefined
    : { body: bytes.subarray(0, length), rest: bytes.subarray(length) };
}

// RFC 9112, 7.1: without trailers. Undefined until the last chunk is there.
function takeChunks(bytes: Buffer): Taken | undefined {
  const chunks: Buffer[] = [];
  for (let from = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', from);
    if (lineEnd < 0) return undefined;
    const digits = bytes.toString('latin1', from, lineEnd);
    if (!/^[\da-f]+$/i.test(digits)) throw new Error(`is no length of a chunk: ${digits.slice(0, 100)}`);
    const end = lineEnd + 2 + Number.parseInt(digits, 16);
    if (bytes.length < end + 2) return undefined;
    if (end === lineEnd + 2) return { body: Buffer.concat(chunks), rest: bytes.subarray(end + 2) };
    chunks.push(bytes.subarray(lineEnd + 2, end));
    from = end + 2;
  }
}

/** A connection that is kept between calls, and reopened when the server has closed it. */
export interface Line extends Disposable {
  /** Undefined when the server has closed the connection without an answer. */
  call(method: string, bytes: Buffer): Promise<WireAnswer | undefined>;
}

const answerMsMax = 60_000;

/** Makes calls one after another on a connection. */
export function openLine(baseUrl: string): Line {
  const { hostname, port } = new URL(baseUrl);
  let socket: Socket | undefined;
  return {
    call: (method, bytes) =>
      new Promise((resolve, reject) => {
        socket ??= connect(Number(port), hostname).setNoDelay();
        const open = socket;
        let received = Buffer.alloc(0);
        const settle = (finish: () => void, isOver: boolean): void => {
          clearTimeout(timer);
          open.removeAllListeners();
          open.on('error', () => {});
          if (isOver) {
            open.destroy();
            socket = undefined;
          }
          finish();
        };
        const timer = setTimeout(
          () => settle(() => reject(new Error('was not answered')), true),
          answerMsMax,
        );
        open.on('data', (chunk: Buffer) => {
          received = Buffer.concat([received, chunk]);
          try {
            const {
              answers: [answer],
            } = takeAnswers(received, method);
            if (!answer) return;
            settle(() => resolve(answer), answer.headers.get('connection') !== 'keep-alive');
          } catch (error) {
            settle(() => reject(error), true);
          }
        });
        open.on('error', () => {}).once('close', () => settle(() => resolve(undefined), true));
        open.write(bytes);
      }),
    [Symbol.dispose]: () => socket?.destroy(),
  };
}

/** The reaction of a server to a connection. */
export interface RawConnection {
  answers: WireAnswer[];
  /** Whether the server closed it before this side did. */
  isClosed: boolean;
  /** Bytes after the last answer. */
  rest: Buffer;
}

interface ConversationOptions {
  /** How many answers to wait for; default: all until the server closes or is silent for `quietMs`. */
  answers?: number;
  quietMs: number;
}

/** Writes the pieces to a new connection and reads the answers. Rejects for bytes that are not HTTP. */
export function sendPieces(
  baseUrl: string,
  pieces: readonly (string | Buffer)[],
  options: ConversationOptions,
): Promise<RawConnection> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }).setNoDelay();
    let received = Buffer.alloc(0);
    let isClosed = false;
    const read = (): Pick<RawConnection, 'answers' | 'rest'> => takeAnswers(received);
    const end = (): void => {
      clearTimeout(timer);
      socket
        .removeAllListeners()
        .on('error', () => {})
        .destroy();
      try {
        resolve({ ...read(), isClosed });
      } catch (error) {
        reject(error);
      }
    };
    const timer = setTimeout(end, options.quietMs);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      timer.refresh();
      if (options.answers === undefined) return;
      try {
        if (read().answers.length >= options.answers) end();
      } catch {
        end();
      }
    });
    const closed = (): void => {
      isClosed = true;
      end();
    };
    socket
      .on('error', () => {})
      .once('end', closed)
      .once('close', closed);
    for (const piece of pieces) socket.write(piece);
  });
}
