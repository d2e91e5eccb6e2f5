import type { Role } from '@parley/client';

/** All roles, the strongest first. */
export const roles = ['owner', 'admin', 'editor', 'viewer'] as const satisfies Role[];
