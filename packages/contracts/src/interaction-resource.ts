import type { Interaction } from './gen/parley/interaction/v1/interaction.ts';

/** Returns an instant as the API writes it: UTC, `2026-11-21T09:30:00.123000`, six fractional digits, no zone. */
export function apiTimestamp(instant: Date): string {
  return `${instant.toISOString().slice(0, -1)}000`;
}

/**
 * Returns an interaction as the API shows it and events carry it. `landingUrl` has no trailing slash. Throws if the
 * service left out a status, a priority or the time of creation.
 */
export function interactionResource(row: Interaction, landingUrl: string) {
  const { status, priority, createdAt } = row;
  if (status === 'STATUS_UNSPECIFIED' || priority === 'PRIORITY_UNSPECIFIED' || !createdAt)
    throw new Error('a service left out a required value of an interaction');
  return {
    id: row.id,
    status,
    priority,
    link: `${landingUrl}/interactions/${row.linkToken}`,
    expiresAt: row.expiresAt && apiTimestamp(row.expiresAt),
    ...(row.availableFrom && { availableFrom: apiTimestamp(row.availableFrom) }),
    createdAt: apiTimestamp(createdAt),
    customerId: row.customerId,
    type: row.type,
    data: row.data ?? null,
    context: row.context.map(({ key, value }) => ({ key, value })),
    ...(row.isTest && { isTest: true as const }),
  };
}
