import { stream } from '@parley/contracts/events';
import { alertLimits, otherAlerts, passes } from './limits.ts';
import { type Answers, highest, highestBy, readingsOf, type ReplicaReading, sum } from './readings.ts';
import { replicaProblems, serviceStates } from './replicas.ts';
import type {
  ConsumerState,
  DeliveriesState,
  Deployment,
  EventLogState,
  EventStreamState,
  Problem,
  ShardsState,
} from './resource.ts';

const shardsTotal = 256;

/** Computes the state from the answers of all replicas. `leader` is the stream's, if known. */
export function deploymentOf(
  answers: Answers,
  { now, leader }: { now: Date; leader: string | null },
): Deployment {
  const ofReplicas = replicaProblems(answers, now);
  const logs = eventLogs(answers);
  const consumers = consumerStates(answers);
  const shards = shardsOf(answers);
  const eventStream = streamOf(answers, leader);
  const deliveries = deliveriesOf(answers);
  const figures = figuresOf(answers);
  const problems = [
    ...ofReplicas,
    ...logs.problems,
    ...consumers.problems,
    ...shards.problems,
    ...eventStream.problems,
    ...deliveries.problems,
    ...figures.problems,
  ];
  return {
    isWell: problems.length === 0,
    checkedAt: now,
    problems,
    services: serviceStates(answers, problems),
    eventLogs: logs.state,
    consumers: consumers.state,
    shards: shards.state,
    stream: eventStream.state,
    deliveries: deliveries.state,
    figures: figures.state,
  };
}

interface Part<State> {
  state: State;
  problems: Problem[];
}

function eventLogs(answers: Answers): Part<EventLogState[]> {
  const limit = alertLimits.unnumberedAge;
  const ages = highestBy(readingsOf(answers, limit.metric), 'source');
  const counts = highestBy(readingsOf(answers, 'parley.events.unnumbered'), 'source');
  const state = [...ages].map(([service, oldestAgeSeconds]) => ({
    service,
    isWell: !passes(limit, oldestAgeSeconds),
    waiting: counts.get(service) ?? 0,
    oldestAgeSeconds,
  }));
  const problems = state.flatMap(({ service, isWell, oldestAgeSeconds }): Problem[] => {
    if (isWell) return [];
    const detail = `An event has waited ${seconds(oldestAgeSeconds)} for its place in the log of ${service}`;
    return [{ part: 'eventLogs', subject: service, alert: limit.alert, detail }];
  });
  return { state, problems };
}

function consumerStates(answers: Answers): Part<ConsumerState[]> {
  const { consumerLag, cursorAge, putAside, waitingAge } = alertLimits;
  const by = (metric: string) => highestBy(readingsOf(answers, metric), 'durable');
  const [lags, redelivered] = [by(consumerLag.metric), by('parley.consumer.redelivered')];
  const [behind, aside] = [by(cursorAge.metric), by(putAside.metric)];
  const waiting = by(waitingAge.metric);
  const names = [
    ...new Set([lags, behind, aside, waiting].flatMap((values) => [...values.keys()])),
  ].toSorted();
  const problems: Problem[] = [];
  const state = names.map((durable) => {
    const values = {
      lag: lags.get(durable) ?? null,
      redelivered: redelivered.get(durable) ?? null,
      putAside: aside.get(durable) ?? null,
      behindSeconds: behind.get(durable) ?? null,
    };
    const found = consumerProblems(durable, { ...values, waitingSeconds: waiting.get(durable) ?? null });
    problems.push(...found);
    return { durable, isWell: found.length === 0, ...values };
  });
  return { state, problems };
}

function consumerProblems(
  durable: string,
  values: Pick<ConsumerState, 'lag' | 'putAside' | 'behindSeconds'> & { waitingSeconds: number | null },
): Problem[] {
  const { lag, putAside, behindSeconds, waitingSeconds } = values;
  const limits = alertLimits;
  const of = (alert: string, detail: string): Problem => ({
    part: 'consumers',
    subject: durable,
    alert,
    detail,
  });
  const problems: Problem[] = [];
  if (lag !== null && passes(limits.consumerLag, lag))
    problems.push(of(limits.consumerLag.alert, `Consumer ${durable} is ${lag} events behind`));
  if (behindSeconds !== null && passes(limits.cursorAge, behindSeconds))
    problems.push(of(limits.cursorAge.alert, `Consumer ${durable} is ${seconds(behindSeconds)} behind`));
  if (putAside !== null && passes(limits.putAside, putAside))
    problems.push(of(limits.putAside.alert, `Consumer ${durable} cannot handle ${putAside} events`));
  if (waitingSeconds !== null && passes(limits.waitingAge, waitingSeconds)) {
    const detail = `An event has waited ${seconds(waitingSeconds)} for a turn of its workspace at consumer ${durable}`;
    problems.push(of(limits.waitingAge.alert, detail));
  }
  return problems;
}

function shardsOf(answers: Answers): Part<ShardsState> {
  const sinces = new Map(
    readingsOf(answers, 'parley.webhook.shards.since').map(({ address, value }) => [address, value]),
  );
  const owners = readingsOf(answers, 'parley.webhook.shards').map(({ address, value }) => {
    const since = sinces.get(address);
    return { address, shards: value, since: since === undefined ? null : new Date(since * 1_000) };
  });
  // A replica of an earlier release may own the rest.
  const isKnown = !answers.get('webhook')?.some(({ isAnswering, state }) => isAnswering && !state);
  const owned = owners.reduce((total, { shards }) => total + shards, 0);
  const unowned = isKnown ? Math.max(0, shardsTotal - owned) : null;
  const isWell = !unowned;
  const detail = `${unowned} of ${shardsTotal} shards have no owner: the deliveries of their webhooks wait`;
  const { alert } = alertLimits.oldestDueAge;
  const problems: Problem[] = isWell ? [] : [{ part: 'shards', subject: '', alert, detail }];
  return { state: { isWell, total: shardsTotal, unowned, owners }, problems };
}

function streamOf(answers: Answers, leader: string | null): Part<EventStreamState | null> {
  const limit = alertLimits.streamOnline;
  const replicas = highestBy(readingsOf(answers, limit.metric), 'state');
  const [set, configured, online] = ['set', 'configured', 'online'].map((name) => replicas.get(name));
  if (set === undefined || configured === undefined || online === undefined)
    return { state: null, problems: [] };
  const problems: Problem[] = [];
  const add = (alert: string, detail: string) =>
    problems.push({ part: 'stream', subject: '', alert, detail });
  if (passes(limit, online)) add(limit.alert, 'The stream of events has no leader or no quorum');
  else if (online < set)
    add(
      otherAlerts.streamReplicaMissing,
      `Only ${online} of ${set} replicas of the stream of events are up to date`,
    );
  const state = {
    name: stream.name,
    isWell: problems.length === 0,
    replicas: { set, configured, online },
    leader,
    messages: highest(readingsOf(answers, 'parley.stream.messages')),
    bytes: highest(readingsOf(answers, 'parley.stream.size')),
  };
  return { state, problems };
}

function deliveriesOf(answers: Answers): Part<DeliveriesState> {
  const { oldestDueAge, egressUp } = alertLimits;
  const oldestDueAgeSeconds = highest(readingsOf(answers, oldestDueAge.metric));
  const ups: ReplicaReading[] = readingsOf(answers, egressUp.metric);
  const problems = ups.flatMap(({ service, address, value }): Problem[] => {
    if (!passes(egressUp, value)) return [];
    const subject = `${service} ${address}`;
    return [
      { part: 'deliveries', subject, alert: egressUp.alert, detail: `${subject} cannot send deliveries` },
    ];
  });
  if (oldestDueAgeSeconds !== null && passes(oldestDueAge, oldestDueAgeSeconds)) {
    const detail = `A delivery is ${seconds(oldestDueAgeSeconds)} late`;
    problems.push({ part: 'deliveries', subject: '', alert: oldestDueAge.alert, detail });
  }
  const state = {
    isWell: problems.length === 0,
    oldestDueAgeSeconds,
    openBreakers: sum(readingsOf(answers, 'parley.webhook.breakers.open')),
    paused: sum(readingsOf(answers, 'parley.webhook.lanes.paused')),
    egress: ups.map(({ address, value }) => ({ address, isUp: !passes(egressUp, value) })),
  };
  return { state, problems };
}

function figuresOf(answers: Answers): Part<Deployment['figures']> {
  const limit = alertLimits.figuresAge;
  const readings = readingsOf(answers, limit.metric);
  if (readings.length === 0) return { state: null, problems: [] };
  const asOfAgeSeconds = Math.min(...readings.map(({ value }) => value));
  const detail = `The figures of all bots are ${seconds(asOfAgeSeconds)} old`;
  const problems: Problem[] = passes(limit, asOfAgeSeconds)
    ? [{ part: 'figures', subject: '', alert: limit.alert, detail }]
    : [];
  return { state: { asOfAgeSeconds }, problems };
}

function seconds(value: number): string {
  return value < 120 ? `${Math.round(value)} s` : `${Math.round(value / 60)} min`;
}
