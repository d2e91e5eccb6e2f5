import { freePort } from '@parley/local/ports';

/** A port of 127.0.0.1 for what is stopped and started again there: nobody is given it in between by asking for any. */
export const lastingPort = (): Promise<number> => freePort();
