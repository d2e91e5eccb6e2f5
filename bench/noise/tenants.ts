import type { Contents } from '../setup/seed.ts';
import type { SessionKeys } from '../setup/sessions.ts';

/** A tenant's credentials and the objects that its calls name. */
interface Tenant {
  workspaceId: string;
  apiKey: string;
  apiSecret: string;
  /** The header of the key. */
  authorization: string;
}

/** The tenant whose calls are measured: the demo workspace. */
export interface Victim extends Tenant {
  contents: Contents;
}

/** The tenant that makes the loads. */
export interface Attacker extends Tenant {
  botId: string;
  /** Inactive, and its receiver refuses connections. It has very many failed deliveries. */
  webhookId: string;
  sizes: AttackerSizes;
}

/** The numbers of the attacker's rows. */
export interface AttackerSizes {
  customers: number;
  /** Spread over the customers. */
  interactions: number;
  /** Of each of the huge customers. */
  interactionsOfOne: number;
  /** Completed conversations of one customer with 240 KB each. */
  largeHistories: number;
  /** Failed deliveries of one webhook. */
  deliveries: number;
  /** Besides the first one, and versions of that. */
  bots: number;
}

/** Both tenants, in a form that can be sent to another process. */
export interface World {
  port: number;
  sessionKeys: SessionKeys;
  victim: Victim;
  attacker: Attacker;
}
