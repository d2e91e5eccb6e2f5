import type { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import type { RpcClient } from '@parley/rpc/definition';
import type { Keyring } from '@parley/runtime/keyring';
import type { Schedule } from '@parley/runtime/schedule';
import type { Kysely } from 'kysely';
import type { Definitions } from './definitions.ts';
import type { Tables } from './schema.ts';
import type { Watch } from './watch.ts';

/** What the handlers of this service work with. */
export interface Deps {
  db: Kysely<Tables>;
  customers: RpcClient<typeof CustomerServiceService>;
  definitions: Definitions;
  linkKeys: Keyring;
  /** Sends events; to be woken after a commit that raised one. */
  relay: Pick<Schedule, 'wake'>;
  /** Tells who waits for an interaction; to be woken after a commit that changed one. */
  watch: Pick<Watch, 'wake'>;
  /** Whether there is a model to ask: without one, steps that need it fail as soon as they are reached. */
  hasModel: boolean;
  /** Asks the model; to be woken after a commit that made a talk wait for it. */
  asking: Pick<Schedule, 'wake'>;
}
