import { deploymentOf } from '@parley/deployment/deployment';
import { stateMetrics } from '@parley/deployment/limits';
import type { Deployment, Problem } from '@parley/deployment/resource';
import { type DatabaseService, databaseServices, optionalServices } from '@parley/contracts/services';
import type { ReplicaState } from '@parley/rpc/connect';
import type { Command } from 'commander';
import { Failure } from '../failure.ts';
import { print, table } from '../output.ts';
import type { Shell } from '../shell.ts';
import { ask, findTarget, type Target, type TargetOptions } from '../target.ts';

const help = `
Asks each replica of each service. Exit code 1 if something is not well: each problem
names its runbook in deploy/observability/runbooks. The gateways are not asked.

Examples:
  parley status
  parley status --identity identity:50051 --customer customer:50051 \\
    --interaction interaction:50051 --webhook webhook:50051 --json`;

export function addStatusCommand(program: Command, shell: Shell): void {
  const status = program
    .command('status')
    .description('print whether everything is well: services, events, stream and deliveries');
  for (const name of databaseServices.filter((one) => !(one === 'identity' || one === 'interaction'))) {
    const condition = isOptional(name) ? ', if it has one' : '';
    status.option(`--${name} <address>`, `the ${name} service of a deployment, host:port${condition}`);
  }
  status.addHelpText('after', help).action(async (_, command: Command) => {
    const options = command.optsWithGlobals<TargetOptions>();
    const target = await findTarget(options, shell);
    const names = databaseServices.filter((name) => isDeployed(name, options, target));
    const answers = new Map<DatabaseService, ReplicaState[]>();
    for (const name of names) {
      answers.set(name, await ask(target, name, name, (peer) => peer.replicaStates(stateMetrics)));
    }
    const state = deploymentOf(answers, { now: new Date(), leader: null });
    print(shell, options.json, state, textOf(state));
    if (!state.isWell) throw new Failure('not everything is well', { type: 'not-well' });
  });
}

/** A local run has all services. */
function isDeployed(name: DatabaseService, options: TargetOptions, { dataDir }: Target): boolean {
  return dataDir !== undefined || !isOptional(name) || options[name] !== undefined;
}

function isOptional(name: DatabaseService): boolean {
  return optionalServices.some((one) => one === name);
}

function textOf(state: Deployment): string {
  const parts = [
    state.isWell ? 'Everything is well.' : `Not well:\n${state.problems.map(lineOf).join('\n')}`,
    table(['SERVICE', 'ADDRESS', 'STATE', 'VERSION', 'SINCE'], replicaRows(state), 'There are no replicas.'),
    table(['EVENT LOG', 'WAITING', 'OLDEST'], logRows(state), 'No replica says how late its event log is.'),
    table(
      ['CONSUMER', 'LAG', 'REDELIVERED', 'PUT ASIDE', 'BEHIND'],
      consumerRows(state),
      'No replica says how far its consumer is.',
    ),
    table(['SHARDS OF', 'SHARDS', 'SINCE'], shardRows(state), 'No replica says which shards it owns.'),
    streamLine(state),
    deliveriesLine(state),
    state.figures ? `Figures: ${inSeconds(state.figures.asOfAgeSeconds)} old` : 'Figures: no replica says.',
  ];
  return parts.join('\n\n');
}

function lineOf({ detail, alert }: Problem): string {
  return `- ${detail} (${alert})`;
}

function replicaRows({ services }: Deployment): string[][] {
  return services.flatMap(({ name, replicas }) =>
    replicas.map(({ address, state, version, startedAt, silentSince }) => [
      name,
      address,
      state,
      version ?? '-',
      (silentSince ?? startedAt)?.toISOString() ?? '-',
    ]),
  );
}

function logRows({ eventLogs }: Deployment): string[][] {
  return eventLogs.map(({ service, waiting, oldestAgeSeconds }) => [
    service,
    String(waiting),
    inSeconds(oldestAgeSeconds),
  ]);
}

function consumerRows({ consumers }: Deployment): string[][] {
  return consumers.map(({ durable, lag, redelivered, putAside, behindSeconds }) => [
    durable,
    orDash(lag),
    orDash(redelivered),
    orDash(putAside),
    inSeconds(behindSeconds),
  ]);
}

function shardRows({ shards: { owners } }: Deployment): string[][] {
  return owners.map(({ address, shards, since }) => [address, String(shards), since?.toISOString() ?? '-']);
}

function streamLine({ stream }: Deployment): string {
  if (!stream) return 'Stream: no replica says.';
  const { name, replicas, messages, bytes } = stream;
  const { online, set } = replicas;
  return `Stream ${name}: ${online} of ${set} replicas online, ${orDash(messages)} messages, ${orDash(bytes)} bytes`;
}

function deliveriesLine({ deliveries }: Deployment): string {
  const { oldestDueAgeSeconds, openBreakers, paused, egress } = deliveries;
  const up = egress.filter(({ isUp }) => isUp).length;
  return (
    `Deliveries: oldest due ${inSeconds(oldestDueAgeSeconds)}, open breakers ${orDash(openBreakers)}, ` +
    `paused ${orDash(paused)}, egress ${up} of ${egress.length} up`
  );
}

function orDash(value: number | null): string {
  return value === null ? '-' : String(value);
}

function inSeconds(value: number | null): string {
  return value === null ? '-' : `${value.toFixed(1)} s`;
}
