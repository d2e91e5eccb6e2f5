import { alertLimits, certificateLimit, otherAlerts, passes } from './limits.ts';
import { type AnsweredReplica, type Answers, readingsOf } from './readings.ts';
import type { Problem, ReplicaRecord, ServiceState } from './resource.ts';

const dayMs = 24 * 60 * 60 * 1_000;

/** Returns the services with their replicas. */
export function serviceStates(answers: Answers, problems: readonly Problem[]): ServiceState[] {
  return [...answers].map(([name, answered]) => {
    const replicas = answered.map(recordOf);
    const versions = [...new Set(replicas.flatMap(({ version }) => version ?? []))].toSorted();
    const isWell = !problems.some(({ part, subject }) => part === 'services' && isAbout(subject, name));
    return { name, isWell, versions, replicas };
  });
}

/** Returns what is not well about single replicas. */
export function replicaProblems(answers: Answers, now: Date): Problem[] {
  return [
    ...[...answers].flatMap(([name, replicas]) => availabilityProblems(name, replicas)),
    ...readingProblems(answers, now),
  ];
}

function isAbout(subject: string, service: string): boolean {
  return subject === service || subject.startsWith(`${service} `);
}

function recordOf({ address, state, isAnswering, unreachableSince }: AnsweredReplica): ReplicaRecord {
  const answered = state?.isReady ? 'ready' : state ? 'not-ready' : 'unknown';
  return {
    address,
    state: isAnswering ? answered : 'silent',
    host: state?.host ?? null,
    version: state?.version ?? null,
    startedAt: state?.startedAt ?? null,
    silentSince: isAnswering ? null : (unreachableSince ?? null),
  };
}

function availabilityProblems(service: string, replicas: readonly AnsweredReplica[]): Problem[] {
  const part = 'services';
  if (!replicas.some(({ isAnswering }) => isAnswering)) {
    const detail = `No replica of ${service} answers`;
    return [{ part, subject: service, alert: otherAlerts.serviceAbsent, detail }];
  }
  return replicas.flatMap(({ address, state, isAnswering }) => {
    const subject = `${service} ${address}`;
    const alert = otherAlerts.processDown;
    if (!isAnswering) return [{ part, subject, alert, detail: `${subject} does not answer` }];
    if (!state || state.isReady) return [];
    return [{ part, subject, alert, detail: `${subject} cannot serve: its database is unavailable` }];
  });
}

function readingProblems(answers: Answers, now: Date): Problem[] {
  const part = 'services';
  const { clockAhead, natsConnected } = alertLimits;
  const clocks = readingsOf(answers, clockAhead.metric).flatMap(({ service, address, value }) => {
    if (!passes(clockAhead, Math.abs(value))) return [];
    const subject = `${service} ${address}`;
    const detail = `The clock of ${subject} differs from its database by ${Math.round(value)} s`;
    return [{ part, subject, alert: clockAhead.alert, detail } as const];
  });
  const disconnected = readingsOf(answers, natsConnected.metric).flatMap(({ service, address, value }) => {
    if (!passes(natsConnected, value)) return [];
    const subject = `${service} ${address}`;
    return [
      { part, subject, alert: natsConnected.alert, detail: `${subject} has no connection to NATS` } as const,
    ];
  });
  const certificates = readingsOf(answers, certificateLimit.metric).flatMap(({ service, address, value }) => {
    const days = (value * 1_000 - now.getTime()) / dayMs;
    if (days >= certificateLimit.days) return [];
    const subject = `${service} ${address}`;
    const detail = `The certificate of ${subject} expires in ${Math.max(0, Math.floor(days))} days`;
    return [{ part, subject, alert: certificateLimit.alert, detail } as const];
  });
  return [...clocks, ...disconnected, ...certificates];
}
