import { alertLimits, certificateLimit, otherAlerts, passes } from './limits.ts';
import { type AnsweredReplica, type Answers, readingsOf } from './readings.ts';
import type { Problem, ReplicaRecord, ServiceState } from './resource.ts';

const daySeconds = 24 * 60 * 60;

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
    return [{ part, subject, alert, detail: `${subject} cannot serve: its log says why` }];
  });
}

/** What the reading of a limit says about a replica, if it passes. */
const texts: readonly (readonly [keyof typeof alertLimits, (subject: string, value: number) => string])[] = [
  ['clockAhead', (subject, value) => `The clock of ${subject} differs from its database by ${value} s`],
  ['clockRefuses', (subject, value) => `The clock of ${subject} differs from that of identity by ${value} s`],
  ['diskFull', (subject) => `The database of ${subject} has no space left`],
  ['peersRefusing', (subject) => `${subject} and a service that it calls do not accept each other`],
  ['natsConnected', (subject) => `${subject} has no connection to NATS`],
];

function readingProblems(answers: Answers, now: Date): Problem[] {
  const part = 'services';
  const ofLimits = texts.flatMap(([name, textOf]) => {
    const limit = alertLimits[name];
    return readingsOf(answers, limit.metric).flatMap(({ service, address, value }) => {
      if (!passes(limit, Math.abs(value))) return [];
      const subject = `${service} ${address}`;
      return [{ part, subject, alert: limit.alert, detail: textOf(subject, Math.round(value)) } as const];
    });
  });
  const certificates = readingsOf(answers, certificateLimit.metric).flatMap(({ service, address, value }) => {
    const leftSeconds = value - now.getTime() / 1_000;
    if (leftSeconds >= certificateLimit.value) return [];
    const subject = `${service} ${address}`;
    const days = Math.max(0, Math.floor(leftSeconds / daySeconds));
    const detail = `The certificate of ${subject} expires in ${days} days`;
    return [{ part, subject, alert: certificateLimit.alert, detail } as const];
  });
  return [...ofLimits, ...certificates];
}
