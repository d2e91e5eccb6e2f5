import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A request as the ledger has it. */
export interface Entry {
  path: string;
  deliveryId: string;
  /** `webhook-id` */
  messageId: string;
  /** `x-parley-attempt` */
  attempt: number;
  /** Of the body; null when the connection was closed before it was read. */
  digest: string | null;
  /** The status that was sent as a whole; `cut`: none was, or nobody was there any more to get it. */
  answer: number | 'cut';
  answeredAtMs: number | null;
}

/** Kills the worker that has sent the next request: as soon as that was read, or as soon as it was answered. */
export interface Trap {
  moment: 'arrival' | 'answer';
  /** The processes of the workers, by the parameter of the query in which each sends the secret token. */
  pids: Record<string, number>;
}

export type Order =
  | { what: 'trap'; trap: Trap | undefined }
  | { what: 'disturb'; path: string; how: 'late' | 'cut'; forMs: number }
  | { what: 'hold'; path: string }
  | { what: 'release'; path: string; status: number }
  | { what: 'take' };

export type Report =
  | { what: 'listening'; port: number }
  | { what: 'sprung' }
  | { what: 'held'; path: string }
  | { what: 'entries'; entries: Entry[] };

/** The receivers of a run: `answers.ts` says what each path does by itself. */
export interface Receivers extends AsyncDisposable {
  /** `http://127.0.0.1:port` */
  url: string;
  /** Answers when the trap has killed. Throws after ten seconds without a request. */
  trap(moment: Trap['moment'], pids: () => Trap['pids']): Promise<void>;
  /** Has the receiver at that path answer late, or cut connections, for a while. */
  disturb(path: string, how: 'late' | 'cut', forMs: number): void;
  /** The first request at that path gets no answer, others a 500, until `release`; answers when it has come. */
  hold(path: string): Promise<void>;
  /** The held request is answered with the status, and all that follow at that path. */
  release(path: string, status: number): void;
  /** What has come since the last call. Nothing must be under way. */
  take(): Promise<Entry[]>;
}

const patienceMs = 10_000;

/** Starts them. The seed decides what they answer. */
export async function startReceivers(seed: number): Promise<Receivers> {
  const program = join(import.meta.dirname, 'receiver-process.ts');
  const child = fork(program, [String(seed)], { execArgv: [], serialization: 'advanced' });
  const heard = <What extends Report['what']>(
    what: What,
    isIt: (report: Report & { what: What }) => boolean = () => true,
  ): Promise<Report & { what: What }> => {
    const { promise, resolve, reject } = Promise.withResolvers<Report & { what: What }>();
    const listen = (report: Report): void => {
      const found = report as Report & { what: What };
      if (report.what === what && isIt(found)) resolve(found);
    };
    const timer = setTimeout(() => reject(new Error(`the receivers did not report: ${what}`)), patienceMs);
    child.on('message', listen);
    return promise.finally(() => {
      clearTimeout(timer);
      child.off('message', listen);
    });
  };
  const order = (message: Order): void => {
    child.send(message);
  };
  const { port } = await heard('listening');
  return {
    url: `http://127.0.0.1:${port}`,
    trap: async (moment, pids) => {
      const set = (): void => order({ what: 'trap', trap: { moment, pids: pids() } });
      const sprung = heard('sprung');
      set();
      // Workers that have just died come back as other processes.
      const setting = setInterval(set, 200);
      try {
        await sprung;
      } finally {
        clearInterval(setting);
        order({ what: 'trap', trap: undefined });
      }
    },
    disturb: (path, how, forMs) => order({ what: 'disturb', path, how, forMs }),
    hold: async (path) => {
      const taken = heard('held', (report) => report.path === path);
      order({ what: 'hold', path });
      await taken;
    },
    release: (path, status) => order({ what: 'release', path, status }),
    take: async () => {
      const taken = heard('entries');
      order({ what: 'take' });
      return (await taken).entries;
    },
    [Symbol.asyncDispose]: async () => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
