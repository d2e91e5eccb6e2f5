/** The calls that a server is answering. */
export interface InFlight {
  /** False once the server is to stop: the call is not to be begun. */
  begin(): boolean;
  end(): void;
  /** True once no more calls may begin. */
  isDraining(): boolean;
  /** Lets no more calls begin; resolves when those in flight have ended. */
  drain(): Promise<void>;
}

/** Counts calls from their begin to their end. */
export function countInFlight(): InFlight {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let calls = 0;
  let isDraining = false;
  const check = (): void => {
    if (isDraining && calls === 0) resolve();
  };
  return {
    begin: () => {
      if (isDraining) return false;
      calls += 1;
      return true;
    },
    end: () => {
      calls -= 1;
      check();
    },
    isDraining: () => isDraining,
    drain: () => {
      isDraining = true;
      check();
      return ended;
    },
  };
}
