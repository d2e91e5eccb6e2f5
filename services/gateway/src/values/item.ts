import type { Fault } from '@parley/runtime/errors';
import { zodFaults } from '@parley/runtime/zod-faults';
import { z } from 'zod';
import { protoDetail, protoPaths } from './faults.ts';

/** An item of a bulk call: its value, or its faults with pointers inside the item, and what was given. */
export type Item<Value> = { value: Value } | { faults: Fault[]; given: unknown };

/**
 * Returns the schema of an item that never fails, so that a faulty item harms no other. It is documented as the schema
 * of the item.
 */
export function itemOf<Schema extends z.ZodType>(schema: Schema) {
  return z
    .preprocess((value, context) => {
      for (const path of protoPaths(value)) {
        context.addIssue({ code: 'custom', path, message: protoDetail, input: value });
      }
      return value;
    }, schema)
    .transform((value): Item<z.output<Schema>> => ({ value }))
    .catch(rejected);
}

// Zod calls it without a context when it documents the schema.
function rejected(context?: { error: Pick<z.core.$ZodError, 'issues'>; input: unknown }): Item<never> {
  return { faults: context ? zodFaults(context.error) : [], given: context?.input };
}
