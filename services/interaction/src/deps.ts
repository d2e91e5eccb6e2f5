import type { Shown } from '@parley/audit/shown';
import type { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import type { RpcClient } from '@parley/rpc/definition';
import type { GrantSigner } from '@parley/rpc/grants';
import type { Compute } from '@parley/runtime/scheduling/compute-queue';
import type { FairQueue } from '@parley/runtime/scheduling/fair-queue';
import type { Keyring } from '@parley/runtime/config/keyring';
import type { Schedule } from '@parley/runtime/scheduling/schedule';
import type { Kysely } from 'kysely';
import type { Definitions } from './bots/definitions.ts';
import type { Watch } from './conversations/watch.ts';
import type { Tables } from './schema.ts';

export interface Deps {
  db: Kysely<Tables>;
  customers: RpcClient<typeof CustomerServiceService>;
  definitions: Definitions;
  /** Runs the turns of conversations and reads definitions: work of up to some milliseconds. */
  compute: Compute;
  /** Messages to large conversations, each of which costs all processes milliseconds. */
  largeMessages: FairQueue;
  shown: Shown;
  linkKeys: Keyring;
  /** Signs the grants of sessions that a link opened. */
  linkGrants: GrantSigner;
  /** Without a trailing slash. */
  landingUrl: string;
  /** Publishes events. Wake it after a commit with an event. */
  relay: Pick<Schedule, 'wake'>;
  /** Resolves waits for changes. Wake it after a commit that changed an interaction. */
  watch: Watch;
  /** Whether there is a model. Without one, `llm` steps fail at once. */
  hasModel: boolean;
  /** Asks the model. Wake it after a commit that made a conversation wait for it. */
  modelWorker: Pick<Schedule, 'wake'>;
  /** Raises that interactions are available. Wake it after a commit that may have made one so. */
  raising: Pick<Schedule, 'wake'>;
}
