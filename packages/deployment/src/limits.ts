// When a deployment is not well. The alerts and runbooks are made of these limits, too (deploy/observability/rules). An
// alert waits for some minutes first.

/** A limit of a value, with the alert that has it and the runbook of the same name. */
export interface AlertLimit {
  alert: string;
  /** The metric, as OpenTelemetry names it. */
  metric: string;
  /** `s`: the value is in seconds, and the name of the metric in Prometheus says so. */
  unit?: 's';
  /** The comparison of the alert: a value for which it holds is not well. */
  comparison: '>' | '==';
  value: number;
}

/** The limits that one value passes or not. */
export const alertLimits = {
  clockAhead: {
    alert: 'ParleyClockDiffers',
    metric: 'parley.clock.ahead',
    unit: 's',
    comparison: '>',
    value: 5,
  },
  diskFull: {
    alert: 'ParleyDatabaseDiskFull',
    metric: 'parley.postgres.disk.full',
    comparison: '>',
    value: 0,
  },
  peersRefusing: {
    alert: 'ParleyPeersRefuse',
    metric: 'parley.rpc.peers.refusing',
    comparison: '>',
    value: 0,
  },
  clockRefuses: {
    alert: 'ParleyClockDiffers',
    metric: 'parley.rpc.clock.ahead',
    unit: 's',
    comparison: '>',
    value: 30,
  },
  natsConnected: {
    alert: 'ParleyNatsDisconnected',
    metric: 'parley.nats.connected',
    comparison: '==',
    value: 0,
  },
  unnumberedAge: {
    alert: 'ParleyEventsUnnumbered',
    metric: 'parley.events.unnumbered.age',
    unit: 's',
    comparison: '>',
    value: 60,
  },
  consumerLag: {
    alert: 'ParleyConsumerLagging',
    metric: 'parley.consumer.lag',
    comparison: '>',
    value: 1_000,
  },
  cursorAge: {
    alert: 'ParleyConsumerBehind',
    metric: 'parley.consumer.cursor.age',
    unit: 's',
    comparison: '>',
    value: 60,
  },
  putAside: {
    alert: 'ParleyEventsPutAside',
    metric: 'parley.consumer.put.aside',
    comparison: '>',
    value: 0,
  },
  waitingAge: {
    alert: 'ParleyEventsDelayed',
    metric: 'parley.consumer.waiting.age',
    unit: 's',
    comparison: '>',
    value: 300,
  },
  oldestDueAge: {
    alert: 'ParleyDeliveriesLate',
    metric: 'parley.webhook.oldest_due.age',
    unit: 's',
    comparison: '>',
    value: 60,
  },
  egressUp: {
    alert: 'ParleyEgressDown',
    metric: 'parley.webhook.egress.up',
    comparison: '==',
    value: 0,
  },
  streamOnline: {
    alert: 'ParleyStreamOffline',
    metric: 'parley.stream.replicas',
    comparison: '==',
    value: 0,
  },
  figuresAge: {
    alert: 'ParleyFiguresOld',
    metric: 'parley.insight.as_of.age',
    unit: 's',
    comparison: '>',
    value: 120,
  },
} as const satisfies Record<string, AlertLimit>;

/** The alert of a certificate that expires within so many seconds. */
export const certificateLimit = {
  alert: 'ParleyRpcCertificateExpiring',
  metric: 'parley.rpc.certificate.expiration',
  unit: 's',
  value: 14 * 24 * 60 * 60,
} as const;

/** The alerts about several values at once. */
export const otherAlerts = {
  serviceAbsent: 'ParleyServiceAbsent',
  processDown: 'ParleyProcessDown',
  streamReplicaMissing: 'ParleyStreamReplicaMissing',
} as const;

/** Returns whether a value passes the limit, so that something is not well. */
export function passes({ comparison, value: limit }: AlertLimit, value: number): boolean {
  return comparison === '>' ? value > limit : value === limit;
}

export const stateMetrics: readonly string[] = [
  ...new Set(Object.values(alertLimits).map(({ metric }) => metric)),
  certificateLimit.metric,
  'parley.events.unnumbered',
  'parley.consumer.redelivered',
  'parley.stream.messages',
  'parley.stream.size',
  'parley.webhook.breakers.open',
  'parley.webhook.lanes.paused',
  'parley.webhook.shards',
  'parley.webhook.shards.since',
];
