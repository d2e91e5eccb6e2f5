import { type Connection, openConnection } from '../load/connection.ts';

/** A talk that a browser looks at. */
export interface Watched {
  /** Of its conversation in the public API. */
  path: string;
  authorization: string;
}

/** Browsers that wait for news of their talks, as the SDK does: one connection each, a poll after the other. */
export interface Browsers extends Disposable {
  /** Opens one. */
  add(talk: Watched): void;
  /** Resolves when the browser of the talk has news beyond what it knows, with the moment (`performance.now()`). */
  news(talk: Watched): Promise<number>;
  /** Answers so far: polls that have ended. */
  answers(): number;
  /** What was no answer with 200, and connections that broke. */
  faults: string[];
}

const waitSeconds = 25;

/** `after`: the newest entry that all talks have. */
export function openBrowsers(port: number, after: number): Browsers {
  const connections = new Map<Watched, Connection>();
  const awaited = new Map<Watched, (at: number) => void>();
  const faults: string[] = [];
  let answers = 0;
  return {
    faults,
    answers: () => answers,
    add: (talk) => {
      let known = after;
      const poll = (): void => {
        const head = `GET ${talk.path}?after=${known}&wait=${waitSeconds} HTTP/1.1`;
        connection.send(`${head}\r\nHost: 127.0.0.1:${port}\r\nAuthorization: ${talk.authorization}\r\n\r\n`);
      };
      const connection = openConnection(port, {
        onAnswer: (status, answer) => {
          const at = performance.now();
          answers += 1;
          const seq = status === 200 ? seqOf(answer) : undefined;
          if (seq === undefined) {
            faults.push(answer.toString('utf8').slice(0, 300));
            return;
          }
          if (seq > known) awaited.get(talk)?.(at);
          known = seq;
          poll();
        },
        onBroken: (reason) => faults.push(reason),
      });
      connections.set(talk, connection);
      poll();
    },
    news: (talk) => new Promise((resolve) => awaited.set(talk, resolve)),
    [Symbol.dispose]: () => {
      for (const connection of connections.values()) connection.close();
    },
  };
}

function seqOf(answer: Buffer): number | undefined {
  const [, digits] = /"seq":(\d+),"entries"/.exec(answer.toString('utf8')) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
