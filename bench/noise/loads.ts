import type { Load } from './attack.ts';
import { pageLoads } from './loads/pages.ts';

/** All loads, in the order in which they run. */
export const loads: readonly Load[] = [...pageLoads];

/** Returns the load of that name. */
export function loadOf(name: string): Load {
  const found = loads.find((load) => load.name === name);
  if (!found) throw new Error(`there is no load ${name}`);
  return found;
}
