import { openLogFile } from './log-file.ts';
import { launch, type Program } from './program.ts';

/** How to run a server of our own, and where it will be. */
export interface PlannedServer {
  program: Program;
  url: string;
  port: number;
}

/** A server of our own that runs by itself: nobody starts it again. */
export interface OwnServer extends AsyncDisposable {
  url: string;
  port: number;
  pid: number;
  /** Ends it in an orderly way; open connections are cut. */
  stop(): Promise<void>;
}

/** Starts a server whose output goes to the file, and answers when it is ready. Throws `StartError`. */
export async function startOwnServer(
  { program, url, port }: PlannedServer,
  logPath: string,
): Promise<OwnServer> {
  const log = openLogFile(logPath);
  const child = await launch(program, log);
  const stop = async (): Promise<void> => {
    await child.stop(program.stopSignal, 5_000);
    log.close();
  };
  return { url, port, pid: child.pid, stop, [Symbol.asyncDispose]: stop };
}
