import { type Connection, openConnection } from '../load/connection.ts';

export interface Watched {
  /** The path of its conversation in the public API. */
  path: string;
  authorization: string;
}

/** Browsers that wait for news of their conversations, as the SDK does: one connection each, one poll after another. */
export interface Browsers extends Disposable {
  /** Opens one. */
  add(conversation: Watched): void;
  /**
   * Resolves when the browser of the conversation has news beyond what it knows, with the moment (`performance.now()`).
   */
  news(conversation: Watched): Promise<number>;
  /** Answers so far: polls that have ended. */
  answers(): number;
  /** Answers other than 200, and broken connections. */
  faults: string[];
}

const waitSeconds = 25;

/** `after`: the newest entry that all conversations have. */
export function openBrowsers(port: number, after: number): Browsers {
  const connections = new Map<Watched, Connection>();
  const awaited = new Map<Watched, (at: number) => void>();
  const faults: string[] = [];
  let answers = 0;
  return {
    faults,
    answers: () => answers,
    add: (conversation) => {
      let known = after;
      const poll = (): void => {
        const head = `GET ${conversation.path}?after=${known}&wait=${waitSeconds} HTTP/1.1`;
        connection.send(
          `${head}\r\nHost: 127.0.0.1:${port}\r\nAuthorization: ${conversation.authorization}\r\n\r\n`,
        );
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
          if (seq > known) awaited.get(conversation)?.(at);
          known = seq;
          poll();
        },
        onBroken: (reason) => faults.push(reason),
      });
      connections.set(conversation, connection);
      poll();
    },
    news: (conversation) => new Promise((resolve) => awaited.set(conversation, resolve)),
    [Symbol.dispose]: () => {
      for (const connection of connections.values()) connection.close();
    },
  };
}

function seqOf(answer: Buffer): number | undefined {
  const [, digits] = /"seq":(\d+),"entries"/.exec(answer.toString('utf8')) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
