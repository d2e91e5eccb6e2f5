import type { AuditTables } from '@parley/audit/table';
import type { ColumnType, Generated, Kysely, Transaction } from 'kysely';
import type { Counts } from './figures/counts.ts';
import type { Outline } from './figures/outline.ts';

// JSON columns are written as text and read as values.
type Json<Value> = ColumnType<Value, string, string>;

/** A set of all figures. Calls read the live one; one that is building replaces it. Key: id. */
export interface GenerationTable {
  id: Generated<number>;
  state: 'building' | 'live';
  startedAt: Generated<Date>;
  finishedAt: Date | null;
  /** The id of the last interaction that the scan has counted; empty at its beginning. */
  scannedTo: Generated<string>;
  /** When the scan was at its end. The next complete round makes the generation live. Null before. */
  scannedAt: Date | null;
  counted: Generated<number>;
  /** An estimate of how many there are. */
  total: Generated<number>;
}

/** What an interaction has added to the figures of a generation. Key: generation, interactionId. */
export interface ContributionTable {
  generation: number;
  interactionId: string;
  workspaceId: string;
  botId: string;
  /** 0 before the start of the conversation. */
  botVersion: number;
  createdAt: Date;
  /** The version of the facts that were counted. Facts with a lower version change nothing. */
  version: number;
  isStalled: boolean;
  /** The conversation may change without an event: it is in progress and has not stalled. */
  isOpen: boolean;
  /** The conversation cannot be read or counted: only its creation is. */
  isUnknown: boolean;
  /** When it was counted as deleted. The row stays for an hour, so that facts from before do not return. */
  deletedAt: Date | null;
  counts: Json<Counts>;
}

/** A counter, by the UTC hour in which interactions were created. Key: all but n. */
export interface FigureTable {
  generation: number;
  workspaceId: string;
  botId: string;
  botVersion: number;
  hour: Date;
  /** As of `figureNameOf`. */
  name: string;
  n: number;
}

/** Until when everything is counted: one row. */
export interface FreshnessTable {
  /** The cursor in the event log before which all events were handled. */
  cursor: string;
  /** Null before the first time. */
  asOf: Date | null;
  /** The database server of the interaction service, for all places and for the generation that is building. */
  server: Generated<string>;
}

/**
 * How far the changes of a workspace with open conversations are counted. It has a row from before the commit of its
 * first open conversation to after the end of the last one. Key: workspaceId.
 */
export interface WorkspaceProgressTable {
  workspaceId: string;
  /** The place of the last change that was counted, or one before it. */
  transaction: number;
  interactionId: string;
  /** Until when its changes are counted. Null: until `asOf`, as in all other workspaces. */
  behindSince: Date | null;
}

/** A workspace with events that were not handled in the last round. Key: workspaceId. */
export interface EventsBehindTable {
  workspaceId: string;
  /** Until when its events are counted. */
  since: Date;
}

/** Which replica does the rounds and scans: one row. */
export interface LeaseTable {
  holder: string;
  heldUntil: Date;
  /** Rises whenever another replica takes over. */
  epoch: Generated<number>;
}

/** What a version of a bot asks; it never changes. Not all versions have a row. Key: botId, version. */
export interface BotVersionTable {
  workspaceId: string;
  botId: string;
  version: number;
  outline: Json<Outline>;
}

export interface Tables extends AuditTables {
  generation: GenerationTable;
  contribution: ContributionTable;
  figure: FigureTable;
  freshness: FreshnessTable;
  workspaceProgress: WorkspaceProgressTable;
  eventsBehind: EventsBehindTable;
  lease: LeaseTable;
  botVersion: BotVersionTable;
}

export type Db = Kysely<Tables>;
export type Trx = Transaction<Tables>;
