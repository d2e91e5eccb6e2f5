import type { NewInteraction } from '@parley/client';
import { interactionLimits } from '@parley/contracts/limits';
import type { Fault } from '@parley/runtime/errors';
import { JsonError, locateJson, readJson, spanOf } from '@parley/runtime/json/json';
import { faultMessage, zodFaults } from '@parley/runtime/zod-faults';
import { z } from 'zod';
import { faultOf, type FileFault, type FilePlace, faultText } from './faults.ts';
import {
  botKeyRule,
  contextFault,
  contextValueRule,
  customerIdRule,
  detailRules,
  instantRule,
  priorities,
  type Rule,
  statuses,
} from './fields.ts';
import { type Defaults, type Line, type Lines, withDefaults } from './lines.ts';

type Span = Pick<FilePlace, 'offset' | 'length'>;

/** The largest number of repeated names of a line among the faults. */
const repeatedMax = 20;

const ruled = (rule: Rule) =>
  z.string().check(({ value, issues }) => {
    const fault = rule(value);
    if (fault) issues.push({ code: 'custom', message: faultText(fault), input: value });
  });

const details = Object.fromEntries(
  Object.entries(detailRules).map(([name, rule]) => [name, ruled(rule).optional()]),
) as Record<keyof typeof detailRules, z.ZodOptional<z.ZodString>>;

const context = z
  .array(z.strictObject({ key: z.string(), value: ruled(contextValueRule) }))
  .check(({ value, issues }) => {
    const fault = contextFault(value);
    if (fault) issues.push({ code: 'custom', message: faultText(fault), input: value });
  })
  .refine((entries) => new Set(entries.map(({ key }) => key)).size === entries.length, 'Has a key twice');

const schema: z.ZodType<NewInteraction> = z.strictObject({
  customerId: ruled(customerIdRule),
  customer: z.strictObject(details).optional(),
  botId: z.string().optional(),
  botKey: ruled(botKeyRule).optional(),
  status: z.enum(statuses).optional(),
  priority: z.enum(priorities).optional(),
  expiry: z
    .number(faultText(faultOf('badExpiry')))
    .min(0, 'Must not be negative')
    .max(interactionLimits.expirySecondsMax, faultText(faultOf('longExpiry')))
    .nullable()
    .optional(),
  availableFrom: ruled(instantRule).nullable().optional(),
  context: context.optional(),
  isTest: z.boolean().optional(),
  ignoreContactPolicy: z.boolean().optional(),
});

/**
 * Reads a file with a body of `POST /interactions` in each line. Empty lines are skipped. Returns the faults of all
 * lines in the order of the file.
 */
export function readNdjson(text: string, defaults: Defaults): Lines {
  const lines: Lines['lines'] = [];
  const faults: FileFault[] = [];
  let offset = 0;
  for (const [index, json] of text.split('\n').entries()) {
    const read = json.trim() === '' ? {} : readLine(json, index + 1, offset);
    offset += json.length + 1;
    faults.push(...(read.faults ?? []));
    if (read.line) lines.push({ ...read.line, item: withDefaults(read.line.item, defaults) });
  }
  return { lines, faults };
}

function readLine(json: string, row: number, begin: number): { line?: Line; faults?: FileFault[] } {
  const placeIn = (column: string, { offset, length }: Span): FilePlace => ({
    column,
    offset: begin + offset,
    length,
  });
  const placeOf = (fault: Fault): FilePlace => placeIn(fault.pointer, spanOf(json, locateJson(json), fault));
  const invalid = ({ detail }: Fault, place: FilePlace): FileFault => ({
    ...faultOf('invalid', detail),
    row,
    ...place,
  });
  const faultIn = (fault: Fault & Span): FileFault => invalid(fault, placeIn(fault.pointer, fault));
  try {
    const { value, repeated } = readJson(json, { repeatedMax });
    if (repeated.length > 0) return { faults: repeated.map(faultIn) };
    const { data, error } = schema.safeParse(value, { error: faultMessage });
    if (error) return { faults: zodFaults(error).map((fault) => invalid(fault, placeOf(fault))) };
    return {
      line: { row, offset: begin, item: data, placeOf: (pointer) => placeOf({ pointer, detail: '' }) },
    };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { faults: [faultIn(error.fault)] };
  }
}
