// The form of the cases of `cases/*.json`. Each language has a runner, a process that reads `RunnerInput` as JSON from
// its standard input and writes `RunnerOutput` to its standard output.

/** What a runner gets. */
export interface RunnerInput {
  /** The proxy. The base URL of a case is this, `/` and the index of the case. */
  baseUrl: string;
  /** Values of `${name}`. Steps add what they save. */
  variables: Record<string, unknown>;
  cases: Case[];
}

export interface RunnerOutput {
  /** The outcomes of the steps, by the name of the case. */
  outcomes: Record<string, Outcome[]>;
  /** With all that was saved. */
  variables: Record<string, unknown>;
}

export interface Case {
  /** States the guarantee. */
  name: string;
  /** What the proxy does with the first, second, ... request of the case. Beyond them it forwards. */
  faults?: (Fault | null)[];
  /** Options of the client. */
  client?: { timeoutSeconds?: number; retries?: number };
  steps: Step[];
  /** How many HTTP requests the proxy must count, and with how many different idempotency keys. */
  requests?: number;
  keys?: number;
}

/** A text that is `${name}` is replaced by the value, `${name}` in a longer text by its text. */
export type Step = (CallStep | VerifyStep | SignStep) & {
  /** Keeps parts of the value: a path with dots by the name of a variable; an empty path is the value. */
  save?: Record<string, string>;
  /** Partial value or error. Without it, the step must have a value. */
  expect?: {
    value?: unknown;
    error?: Record<string, unknown>;
    /** How many items a list has. */
    count?: number;
    /** No two items of a list have the same `id`. */
    unique?: boolean;
  };
};

/** A call. `call` is the client method of the OpenAPI document; `of` says whose method it is. */
export interface CallStep {
  call: string;
  /** Default: the workspace `${workspaceId}`. `session`: of `${sessionToken}`. */
  of?: 'parley' | 'workspace' | 'public' | 'session';
  /** The arguments of the path. */
  path?: string[];
  /** As JSON has it. */
  body?: Record<string, unknown>;
  query?: Record<string, unknown>;
  options?: {
    timeoutSeconds?: number;
    headers?: Record<string, string>;
    idempotencyKey?: string;
    ifMatch?: string;
    ifNoneMatch?: string;
    requestId?: string;
  };
  /** Of a list or export. Default: all `items`. `pages` is a list of lists; `page` has `data` and `meta`. */
  read?: 'items' | 'pages' | 'page' | 'csv';
  /** `etag` and `isReplayed` of the answer are the value. */
  answer?: boolean;
  /** Repeats the call until its list has so many items, or its value is not null, for at most 20 seconds. */
  until?: number;
}

/** Verifies a webhook. The value has `type`, `id`, `test`, `sentAt` in epoch seconds, and `data`. */
export interface VerifyStep {
  verify: {
    headers: Record<string, string>;
    body: string;
    secrets: string[];
    toleranceSeconds?: number;
    /** Epoch seconds. */
    now: number;
  };
}

/** Signs a token of a customer. The value is its text. */
export interface SignStep {
  sign: { customerId: string; kid: string; secret: string; expiresInSeconds?: number };
}

/**
 * What became of a step. `kind` of an error: `argument` (nothing was sent), `verification`, or the kind of its class,
 * as `packages/sdk-generator/src/errors.ts` names it.
 */
export type Outcome =
  | { value: unknown }
  | {
      error: {
        kind: string;
        status?: number;
        type?: string;
        detail?: string;
        requestId?: string;
        errors?: unknown[];
      };
    };

export type Fault =
  /** Closes the connection without forwarding the request. */
  | { do: 'drop' }
  /** Forwards the request and closes the connection instead of answering. */
  | { do: 'lose' }
  /** Forwards, and cuts the body of the answer after so many bytes, or behind so many lines and a part of the next. */
  | { do: 'cut'; bytes?: number; lines?: number }
  | { do: 'delay'; seconds: number }
  /** Forwards, and sends a byte of the body each 100 ms. */
  | { do: 'trickle' }
  /** Answers without forwarding. */
  | { do: 'answer'; status: number; headers?: Record<string, string>; body?: unknown }
  /** Forwards, and sends so many bytes of the body, and the rest so many seconds later. */
  | { do: 'pause'; bytes: number; seconds: number }
  /** Answers with these bytes, and closes the connection. `latin1`: each character is a byte. */
  | { do: 'raw'; text: string; encoding?: 'latin1' }
  /** Answers with a status and a body without an end. */
  | { do: 'flood'; status: number }
  /** Forwards, and compresses the answer. The last bytes are missing. */
  | { do: 'gzip'; missing: number }
  /** Answers with a compressed body of 65 MiB: a customer with the id `own-1`. */
  | { do: 'large' }
  /** Forwards, and answers without a body. */
  | { do: 'empty'; status: number }
  /** Forwards, and merges this into the body of the answer. */
  | { do: 'merge'; body: Record<string, unknown> }
  /** Sends this request to the workspace first. */
  | { do: 'first'; method: string; path: string; body?: unknown };
