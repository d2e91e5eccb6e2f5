import type { Scope } from '@parley/client';
import { browserZone, startOfDayIn } from '../../data/zone.ts';
import { scopeNames } from '@parley/contracts/scopes';

/** What keys are often for. */
export const presets = {
  own: [],
  backend: [
    'customers:read',
    'customers:write',
    'interactions:read',
    'interactions:write',
    'bots:read',
    'personal-data:read',
  ],
  receiver: ['webhooks:read', 'webhooks:write'],
  figures: ['bots:read', 'insight:read'],
  reader: scopeNames.filter((scope) => scope.endsWith(':read')),
} satisfies Record<string, Scope[]>;
export const presetNames = Object.keys(presets) as (keyof typeof presets)[];

/** Returns the end of a day in the time zone of the browser, or null without a day. */
export function endOf(day: string): string | null {
  if (day === '') return null;
  return startOfDayIn(browserZone(), day, 1).toISOString();
}
