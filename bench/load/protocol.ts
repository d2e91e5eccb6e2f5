/** One measured piece of load: every request is a whole HTTP/1.1 message. */
export interface Slice {
  port: number;
  /** Sent in turn; from the start again when `isRepeated`, else the slice ends with the last one. */
  requests: string[];
  isRepeated: boolean;
  seconds: number;
  /** Closed loop: this many connections; each sends its next request when it has the answer. */
  connections?: number;
  /** Open loop: calls a second at random moments (Poisson), independent of the answers. */
  callsPerSecond?: number;
}

/** The result of a slice. Latencies run from the writing of a request to the end of its answer. */
export interface SliceResult {
  calls: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  /** The first answer other than 2xx, or broken connection. `faultCount` counts all of them. */
  faults: string[];
  faultCount: number;
}
