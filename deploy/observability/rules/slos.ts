import { duration } from './rule.ts';

/** A service level objective for 30 days. */
export interface Slo {
  name: string;
  /** The share of events that may be bad. */
  budget: number;
  /** An event that takes longer is bad. A bound of a bucket of its histogram. */
  secondsMax?: number;
  /** What is counted, and what is bad, for people. */
  event: string;
  isBad: string;
  /** The rates of both, as expressions of PromQL. */
  events: string;
  badEvents: string;
}

/** An alert that fires if the budget is used up so many times as fast as in 30 days, over both windows. */
export interface BurnRate {
  severity: 'page' | 'warn';
  rate: number;
  /** Durations as PromQL writes them. */
  long: string;
  short: string;
}

const requests = 'http_server_request_duration_seconds';
const firstAttempts = 'parley_webhook_first_attempt_delay_seconds';
const calls = 'http_route=~"/(public/)?v1/.+"';
const answered = `${calls}, http_route!~".+/conversations/[^/]+(/messages)?", http_response_status_code!~"5.."`;
const turns = 'http_request_method="POST", http_route=~".+/conversations/[^/]+/messages"';
const responsive = 'responsive="true"';

const rate = (metric: string, labels = ''): string => `sum(rate(${metric}${labels && `{${labels}}`}[5m]))`;
const orNone = (expr: string): string => `${expr} or vector(0)`;

/** Returns the rate of events above the bound. Our processes write `1.0` for a bound, metrics over OTLP have `1`. */
function slower(histogram: string, secondsMax: number, labels: string, countedLabels = labels): string {
  const bound = Number.isInteger(secondsMax) ? `=~"${secondsMax}|${secondsMax}.0"` : `="${secondsMax}"`;
  const fast = rate(`${histogram}_bucket`, `${labels}, le${bound}`);
  return `${rate(`${histogram}_count`, countedLabels)} - (${orNone(fast)})`;
}

/** The bounds of durations that dashboards show, too. */
export const sloSeconds = { apiLatency: 0.3, conversationTurn: 1, firstAttempt: 10 };

/** Returns the objectives. */
export function slos(): Slo[] {
  const { apiLatency, conversationTurn, firstAttempt } = sloSeconds;
  const attempts = orNone(rate('parley_webhook_attempts_total'));
  const ownFaults = orNone(rate('parley_webhook_own_faults_total'));
  return [
    {
      name: 'api-availability',
      budget: 0.001,
      event: 'a call of `/v1` or `/public/v1`',
      isBad: 'it gets a 5xx',
      events: rate(`${requests}_count`, calls),
      badEvents: orNone(rate(`${requests}_count`, `${calls}, http_response_status_code=~"5.."`)),
    },
    {
      name: 'api-latency',
      budget: 0.01,
      event: 'a call of `/v1` or `/public/v1` without a 5xx',
      isBad: `it takes more than ${duration(apiLatency)}`,
      events: rate(`${requests}_count`, answered),
      badEvents: slower(requests, apiLatency, answered),
    },
    {
      name: 'conversation-turn',
      budget: 0.01,
      event: 'a message of a customer',
      isBad: `it takes more than ${duration(conversationTurn)} or gets a 5xx`,
      events: rate(`${requests}_count`, turns),
      badEvents: slower(requests, conversationTurn, `${turns}, http_response_status_code!~"5.."`, turns),
    },
    {
      name: 'first-attempt',
      budget: 0.01,
      event: 'the first attempt of a delivery',
      isBad: `it starts more than ${duration(firstAttempt)} after the completion`,
      events: rate(`${firstAttempts}_count`, responsive),
      badEvents: slower(firstAttempts, firstAttempt, responsive),
    },
    {
      name: 'own-faults',
      budget: 0.001,
      event: 'an attempt of a delivery',
      isBad: 'a fault on our side prevents it',
      events: `(${attempts}) + (${ownFaults})`,
      badEvents: ownFaults,
    },
  ];
}

/** The alerts of all objectives. The long window shows that the loss matters, the short one that it is ongoing. */
export const burnRates: BurnRate[] = [
  { severity: 'page', rate: 14.4, long: '1h', short: '5m' },
  { severity: 'page', rate: 6, long: '6h', short: '30m' },
  { severity: 'warn', rate: 3, long: '1d', short: '2h' },
  { severity: 'warn', rate: 1, long: '3d', short: '6h' },
];

/** The windows of burn rates. The last one is the period of the objectives, for dashboards. */
export const windows = ['5m', '30m', '1h', '2h', '6h', '1d', '3d', '30d'];

/** Returns the seconds of a window. */
export function secondsOf(window: string): number {
  const sizes: Record<string, number> = { m: 60, h: 3_600, d: 86_400 };
  return Number(window.slice(0, -1)) * (sizes[window.slice(-1)] ?? Number.NaN);
}

/** Returns a window in words: `1 hour`. */
export function inWords(window: string): string {
  return duration(secondsOf(window));
}
