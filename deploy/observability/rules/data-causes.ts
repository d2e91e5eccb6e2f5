import { alertLimits, otherAlerts } from '@parley/deployment/limits';
import { beyond, type Cause, duration, moreThan, seriesOf } from './rule.ts';

/** Returns the alerts about databases, clocks, NATS and events. */
export function dataCauses(): Cause[] {
  return [...databaseCauses(), ...natsCauses(), ...eventCauses()];
}

function databaseCauses(): Cause[] {
  const limits = alertLimits;
  const differs = 'The clock of {{ $labels.instance }} of {{ $labels.job }} differs from';
  return [
    {
      alert: 'ParleyDatabasePoolSaturated',
      severity: 'warn',
      forMinutes: 2,
      expr: 'sum by (job, instance) (increase(parley_work_refused_total{class=~"read|scan|write", reason="stuck"}[5m])) > 0',
      when: 'a process refuses statements because those in progress are stuck',
      summary: '{{ $labels.instance }} of {{ $labels.job }} gets no database connection in time',
    },
    {
      alert: limits.diskFull.alert,
      severity: 'page',
      expr: 'sum by (job) (increase(parley_postgres_statements_failed_total{db_response_status_code=~"53100|58030"}[5m])) > 0',
      when: 'within five minutes, a statement failed with SQLSTATE 53100 (the disk is full) or 58030 (it is broken)',
      summary: 'The database of {{ $labels.job }} cannot write: its disk is full, or broken',
    },
    {
      alert: limits.diskFull.alert,
      severity: 'page',
      expr: `max by (job) (${seriesOf(limits.diskFull)}) ${beyond(limits.diskFull)}`,
      when: 'a service finds no space in its database',
      summary: 'The database of {{ $labels.job }} has no space left',
    },
    {
      alert: limits.clockRefuses.alert,
      severity: 'page',
      forMinutes: 1,
      expr: `abs(${seriesOf(limits.clockRefuses)}) ${beyond(limits.clockRefuses)}`,
      when: `the clocks of a service and of identity differ by more than ${duration(limits.clockRefuses.value)}`,
      summary: `${differs} identity by {{ $value }} s`,
    },
    {
      alert: limits.clockAhead.alert,
      severity: 'warn',
      forMinutes: 2,
      expr: `abs(${seriesOf(limits.clockAhead)}) ${beyond(limits.clockAhead)}`,
      when: `the clocks of a process and of its database differ by more than ${duration(limits.clockAhead.value)}`,
      summary: `${differs} its database by {{ $value }} s`,
    },
  ];
}

function natsCauses(): Cause[] {
  const limits = alertLimits;
  const online = `max(${seriesOf(limits.streamOnline)}{state="online"})`;
  return [
    {
      alert: limits.natsConnected.alert,
      severity: 'warn',
      forMinutes: 2,
      expr: `${seriesOf(limits.natsConnected)} ${beyond(limits.natsConnected)}`,
      when: 'a process has no connection to NATS',
      summary: '{{ $labels.instance }} of {{ $labels.job }} has no connection to NATS',
    },
    {
      alert: limits.streamOnline.alert,
      severity: 'warn',
      forMinutes: 2,
      expr: `${online} ${beyond(limits.streamOnline)}`,
      when: 'no interaction service gets an answer about the stream of events',
      summary: 'The stream of events has no leader or no quorum',
    },
    {
      alert: otherAlerts.streamReplicaMissing,
      severity: 'warn',
      forMinutes: 10,
      expr: `${limits.streamOnline.value} < ${online} < max(${seriesOf(limits.streamOnline)}{state="set"})`,
      when: 'fewer replicas of the stream are up to date than `NATS_STREAM_REPLICAS` sets',
      summary: 'Only {{ $value }} replicas of the stream of events are up to date',
    },
  ];
}

function eventCauses(): Cause[] {
  const limits = alertLimits;
  return [
    {
      alert: limits.consumerLag.alert,
      severity: 'warn',
      forMinutes: 10,
      expr: `max by (durable) (${seriesOf(limits.consumerLag)}) ${beyond(limits.consumerLag)}`,
      when: `a consumer has ${moreThan(limits.consumerLag.value)}messages that it has not acknowledged`,
      summary: 'Consumer {{ $labels.durable }} is {{ $value }} messages behind',
    },
    {
      alert: limits.cursorAge.alert,
      severity: 'page',
      forMinutes: 5,
      expr: `max by (durable, source) (${seriesOf(limits.cursorAge)}) ${beyond(limits.cursorAge)}`,
      when: `a consumer has not handled an event that is older than ${duration(limits.cursorAge.value)}`,
      summary:
        'Consumer {{ $labels.durable }} is {{ $value | humanizeDuration }} behind {{ $labels.source }}',
    },
    {
      alert: limits.putAside.alert,
      severity: 'warn',
      forMinutes: 10,
      expr: `max by (durable) (${seriesOf(limits.putAside)}) ${beyond(limits.putAside)}`,
      when: `a consumer has ${moreThan(limits.putAside.value)}events that it cannot handle`,
      summary: 'Consumer {{ $labels.durable }} cannot handle {{ $value }} events',
    },
    {
      alert: limits.waitingAge.alert,
      severity: 'warn',
      forMinutes: 10,
      expr: `max by (durable) (${seriesOf(limits.waitingAge)}) ${beyond(limits.waitingAge)}`,
      when: `an event has waited for a share of its workspace for more than ${duration(limits.waitingAge.value)}`,
      summary:
        'An event has waited {{ $value | humanizeDuration }} for a share of its workspace at consumer {{ $labels.durable }}',
    },
    {
      alert: limits.unnumberedAge.alert,
      severity: 'page',
      forMinutes: 2,
      expr: `max by (source) (${seriesOf(limits.unnumberedAge)}) ${beyond(limits.unnumberedAge)}`,
      when: `an event without a place in the log is older than ${duration(limits.unnumberedAge.value)}`,
      summary:
        'An event has waited {{ $value | humanizeDuration }} for its place in the log of {{ $labels.source }}',
    },
    {
      alert: 'ParleyRemindersSkipped',
      severity: 'warn',
      expr: 'sum(increase(parley_reminders_total{outcome="skipped"}[1h])) > 0',
      when: 'within an hour, reminders were skipped because they were more than an hour late',
      summary: 'Within an hour, reminders were skipped because they were more than an hour late',
    },
  ];
}
