import type { BotDefinition } from '../definition/format.ts';
import { ownValue, planOf } from '../plan/plan.ts';

/** Returns whether the values of an evaluation key are personal. Values of an undeclared key may be. */
export function isPersonalKey(definition: BotDefinition, key: string): boolean {
  return ownValue(definition.evaluation ?? {}, key) === undefined || planOf(definition).personalKeys.has(key);
}

/** Returns whether the values of a context property are personal. Values of an undeclared property may be. */
export function isPersonalContext(definition: BotDefinition, name: string): boolean {
  const isDeclared = definition.context?.some((one) => one.name === name) === true;
  return !isDeclared || planOf(definition).personalContext.has(name);
}
