import { type Deployment, deploymentParts, replicaStates } from '@parley/deployment/resource';
import { z } from 'zod';
import { count } from '../../values/count.ts';
import { timestamp, toTimestamp, toTimestampOrNull } from '../../values/timestamp.ts';

const isWell = z.boolean().meta({ examples: [true] });
const service = z.string().meta({ examples: ['webhook'] });
const address = z.string().meta({ description: 'As the gateway reaches it', examples: ['10.0.0.7:50051'] });
const seconds = z.number().meta({ examples: [0] });

const problem = z
  .strictObject({
    part: z.enum(deploymentParts).meta({ examples: ['consumers'] }),
    subject: z.string().meta({
      description: 'What it is about, such as a service, a replica or a durable; may be empty',
      examples: ['insight'],
    }),
    alert: z.string().meta({
      description: 'The alert about it, which has the same limit',
      examples: ['ParleyConsumerLagging'],
    }),
    detail: z.string().meta({ examples: ['Consumer insight is 1200 events behind'] }),
    runbookUrl: z.string().meta({
      examples: ['https://api.example.com/guides/runbooks/ParleyConsumerLagging'],
    }),
  })
  .meta({ id: 'DeploymentProblem' });

const replica = z
  .strictObject({
    address,
    state: z.enum(replicaStates).meta({
      description:
        '`ready`: it serves. `not-ready`: it answers, but its database does not. `silent`: it does not answer. ' +
        '`unknown`: it answers calls, but its release does not say',
      examples: ['ready'],
    }),
    host: z
      .string()
      .nullable()
      .meta({ examples: ['parley-webhook-7d9f'] }),
    version: z
      .string()
      .nullable()
      .meta({ examples: ['0.2.0'] }),
    startedAt: timestamp.nullable(),
    silentSince: timestamp.nullable().meta({
      description: 'Since when it does not answer this gateway. Null: it does',
      examples: [null],
    }),
  })
  .meta({ id: 'DeploymentReplica' });

const serviceState = z
  .strictObject({
    name: service,
    isWell,
    versions: z.array(z.string()).meta({ examples: [['0.2.0']] }),
    replicas: z.array(replica).meta({ description: 'Of the gateway: only the one that answers' }),
  })
  .meta({ id: 'DeploymentService' });

const eventLog = z
  .strictObject({
    service,
    isWell,
    waiting: count.meta({
      description: 'Events that no consumer can read yet, counted up to 10,000',
      examples: [0],
    }),
    oldestAgeSeconds: seconds.meta({ description: 'The age of the oldest of them; 0 without one' }),
  })
  .meta({ id: 'DeploymentEventLog' });

const consumer = z
  .strictObject({
    durable: z.string().meta({ examples: ['insight'] }),
    isWell,
    lag: count.nullable().meta({
      description:
        'Events that it has not acknowledged. Null: the broker has no such durable, or does not answer',
      examples: [3],
    }),
    redelivered: count.nullable().meta({
      description: 'Those among them that were delivered more than once',
      examples: [0],
    }),
    putAside: count.nullable().meta({
      description: 'Events that could not be handled and are tried again. Null: not a consumer of Parley',
      examples: [0],
    }),
    behindSeconds: seconds.nullable().meta({
      description: 'The age of the oldest event of the event logs that it should have handled',
    }),
  })
  .meta({ id: 'DeploymentConsumer' });

const shards = z
  .strictObject({
    isWell,
    total: count.meta({ examples: [256] }),
    unowned: count.nullable().meta({
      description: 'Those without an owner. Null: a replica does not say what it owns',
      examples: [0],
    }),
    owners: z.array(
      z.strictObject({
        address,
        shards: count.meta({ examples: [128] }),
        since: timestamp.nullable().meta({ description: 'When it last gained or lost shards' }),
      }),
    ),
  })
  .meta({ id: 'DeploymentShards' });

const replicaCount = (description: string) => count.meta({ description, examples: [3] });

const stream = z
  .strictObject({
    name: z.string().meta({ examples: ['PARLEY_EVENTS'] }),
    isWell,
    replicas: z.strictObject({
      set: replicaCount('Those that it must have'),
      configured: replicaCount('Those that it has by its configuration'),
      online: replicaCount('Those that are up to date; 0 without a leader or a quorum'),
    }),
    leader: z
      .string()
      .nullable()
      .meta({
        description: 'The server that leads it. Null: none, a server without a cluster, or not known',
        examples: ['nats-1'],
      }),
    messages: count.nullable().meta({ examples: [1200] }),
    bytes: count.nullable().meta({ examples: [300_000] }),
  })
  .meta({ id: 'DeploymentStream' });

const deliveries = z
  .strictObject({
    isWell,
    oldestDueAgeSeconds: seconds.nullable().meta({
      description:
        'The age of the oldest due delivery that could be sent: not of those that wait for their receiver',
    }),
    openBreakers: count.nullable().meta({
      description: 'Webhooks with waiting deliveries whose breaker is open, because they fail',
      examples: [1],
    }),
    paused: count.nullable().meta({
      description: 'Webhooks with waiting deliveries that are paused',
      examples: [1],
    }),
    egress: z.array(z.strictObject({ address, isUp: z.boolean().meta({ examples: [true] }) })).meta({
      description: 'Whether each replica of the webhook service can send',
    }),
  })
  .meta({ id: 'DeploymentDeliveries' });

export const deployment = z
  .strictObject({
    isWell: isWell.meta({ description: 'Whether there is no problem' }),
    checkedAt: timestamp,
    problems: z.array(problem),
    services: z.array(serviceState),
    eventLogs: z.array(eventLog),
    consumers: z.array(consumer),
    shards,
    stream: stream.nullable().meta({ description: 'Null: no replica says' }),
    deliveries,
    figures: z
      .strictObject({
        asOfAgeSeconds: seconds.meta({ description: 'The figures have everything up to then' }),
      })
      .nullable()
      .meta({ description: 'Null: no replica of the insight service says' }),
  })
  .meta({ id: 'Deployment' });

/** `siteUrl` is where the runbooks are. */
export function toDeployment(state: Deployment, siteUrl: string): z.input<typeof deployment> {
  return {
    ...state,
    checkedAt: toTimestamp(state.checkedAt),
    problems: state.problems.map((one) => ({
      ...one,
      runbookUrl: `${siteUrl}/guides/runbooks/${one.alert}`,
    })),
    services: state.services.map((one) => ({
      ...one,
      replicas: one.replicas.map((each) => ({
        ...each,
        startedAt: toTimestampOrNull(each.startedAt),
        silentSince: toTimestampOrNull(each.silentSince),
      })),
    })),
    shards: {
      ...state.shards,
      owners: state.shards.owners.map((one) => ({ ...one, since: toTimestampOrNull(one.since) })),
    },
  };
}
