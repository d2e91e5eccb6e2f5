import { sql } from 'kysely';
import { inFlightProbing } from './lane-health.ts';

/** SQL for how many deliveries of a lane may be under way, in all processes together. */
export const cap = sql<number>`case when lane.openings > 0 then ${sql.lit(inFlightProbing)} else lane.in_flight_max end`;
