import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Entry {
  path: string;
  deliveryId: string;
  /** The header `webhook-id`. */
  messageId: string;
  /** The header `x-parley-attempt`. */
  attempt: number;
  /** The digest of the body; null if the connection closed before it was read. */
  digest: string | null;
  /** The completely sent status; `cut`: none was sent, or the sender had disconnected. */
  answer: number | 'cut';
  answeredAtMs: number | null;
}

/** Kills the worker of the next request: as soon as it was read, or as soon as it was answered. */
export interface Trap {
  moment: 'arrival' | 'answer';
  /** The processes of the workers, by the query parameter in which each sends the secret token. */
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

/** The receivers of a run: `answers.ts` defines the behaviour of each path. */
export interface Receivers extends AsyncDisposable {
  /** `http://127.0.0.1:port` */
  url: string;
  /** Resolves when the trap has killed. Throws after ten seconds without a request. */
  trap(moment: Trap['moment'], pids: () => Trap['pids']): Promise<void>;
  /** Makes the receiver at that path answer late, or cut connections, for a while. */
  disturb(path: string, how: 'late' | 'cut', forMs: number): void;
  /** The first request at that path gets no answer, others a 500, until `release`. Resolves when it has arrived. */
  hold(path: string): Promise<void>;
  /** Answers the held request with the status, and all later ones at that path. */
  release(path: string, status: number): void;
  /** Returns the requests since the last call. None may be in flight. */
  take(): Promise<Entry[]>;
}

const patienceMs = 10_000;
/** A busy machine takes long to start a process. */
const startMs = 60_000;

/** Starts them. The seed decides their answers. */
export async function startReceivers(seed: number): Promise<Receivers> {
  const program = join(import.meta.dirname, 'receiver-process.ts');
  const child = fork(program, [String(seed)], { execArgv: [], serialization: 'advanced' });
  const heard = <What extends Report['what']>(
    what: What,
    isIt: (report: Report & { what: What }) => boolean = () => true,
    timeoutMs = patienceMs,
  ): Promise<Report & { what: What }> => {
    const { promise, resolve, reject } = Promise.withResolvers<Report & { what: What }>();
    const listen = (report: Report): void => {
      const found = report as Report & { what: What };
      if (report.what === what && isIt(found)) resolve(found);
    };
    const timer = setTimeout(() => reject(new Error(`the receivers did not report: ${what}`)), timeoutMs);
    child.on('message', listen);
    return promise.finally(() => {
      clearTimeout(timer);
      child.off('message', listen);
    });
  };
  const order = (message: Order): void => {
    child.send(message);
  };
  const { port } = await heard('listening', undefined, startMs);
  return {
    url: `http://127.0.0.1:${port}`,
    trap: async (moment, pids) => {
      const set = (): void => order({ what: 'trap', trap: { moment, pids: pids() } });
      const sprung = heard('sprung');
      set();
      // Workers that have just died return as other processes.
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
