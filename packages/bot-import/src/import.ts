import { type BotDefinition, botNameCharactersMax, validateDefinition } from '@parley/bot/definition';
import type { Fault } from '@parley/runtime/errors';
import { convertFormbricks, isFormbricks } from './formbricks/formbricks.ts';
import { keyOf } from './parts/names.ts';
import { type Converted, newSetting, type Setting } from './parts/setting.ts';
import { isEmpty, openSource, reportUnread, type Source } from './parts/source.ts';
import { type Entry, newReport } from './report/report.ts';
import type { Detail } from './report/words.ts';
import { convertTypebot, isTypebot } from './typebot/typebot.ts';
import { convertTypeform, isTypeform } from './typeform/typeform.ts';

type Format = {
  name: string;
  /** How the product calls itself. */
  product: string;
  isIt: (value: unknown) => boolean;
  convert: (root: Source, setting: Setting) => Converted;
};

/** The export of another product that becomes a bot. Pictures are not in it. */
export const importBytesMax = 4 * 1024 * 1024;

export const formats = [
  { name: 'typebot', product: 'Typebot', isIt: isTypebot, convert: convertTypebot },
  { name: 'typeform', product: 'Typeform', isIt: isTypeform, convert: convertTypeform },
  { name: 'formbricks', product: 'Formbricks', isIt: isFormbricks, convert: convertFormbricks },
] as const satisfies readonly Format[];

export type FormatName = (typeof formats)[number]['name'];

export type Imported = {
  format: FormatName;
  definition: BotDefinition;
  /** What the definition must have changed before it can be published, with pointers in it. */
  faults: Fault[];
  report: Entry[];
};

/**
 * Returns the first version of a bot whose definition becomes a draft, because a draft belongs to a bot. No
 * conversation can begin with it: the bot is not live until its draft is published.
 */
export function firstVersion({ key, name, type, locale }: BotDefinition): BotDefinition {
  const kept = locale === undefined ? {} : { locale };
  return { schemaVersion: 1, key, name, type, ...kept, steps: [{ id: 'end', kind: 'end' }] };
}

/** Where APIs of these products put what they export. */
const wrappers = ['data', 'typebot', 'form', 'survey'];

/** The first steps of a file that has none would not be valid. */
const noName = 'Imported bot';

/**
 * Converts the export of another product into a definition, or returns undefined if it is of no known product.
 * `format`: of which one it is; by default the one whose shape it has. The bot gets `key` and `name`.
 */
export function importBot(
  value: unknown,
  given: { format?: FormatName | undefined; key?: string | undefined; name?: string | undefined } = {},
): Imported | undefined {
  const opened = openSource(value);
  const candidates = [opened.root, ...wrappers.map((name) => opened.root.at(name))];
  for (const { name, isIt, convert } of formats) {
    if (given.format !== undefined && given.format !== name) continue;
    const source = candidates.find((one) => isIt(one.value));
    if (source !== undefined) return convertBy(name, convert, { ...opened, source }, given);
  }
  return undefined;
}

function convertBy(
  format: FormatName,
  convert: Format['convert'],
  { root, read, source }: { root: Source; read: Set<string>; source: Source },
  given: { key?: string | undefined; name?: string | undefined },
): Imported {
  const report = newReport(isEmpty);
  const setting = newSetting(report);
  const made = convert(source, setting);
  const steps = setting.flow.finish(made.locale);
  reportUnread(root, read, report);
  const name = Array.from((given.name ?? made.name).replaceAll(/\s+/g, ' ').trim() || noName);
  const written = steps.flatMap((step) => {
    if (!('evaluation' in step) || step.evaluation === undefined) return [];
    return typeof step.evaluation === 'string' ? [step.evaluation] : Object.keys(step.evaluation);
  });
  const keys = [...new Set([...written, ...made.evaluation])];
  const definition: BotDefinition = {
    schemaVersion: 1,
    key: given.key ?? keyOf(name.join(''), format),
    name: name.slice(0, botNameCharactersMax).join(''),
    type: 'Survey',
    ...(made.locale !== 'en' && { locale: made.locale }),
    ...(made.context.length > 0 && { context: made.context }),
    ...(keys.length > 0 && { evaluation: Object.fromEntries(keys.map((key) => [key, {}])) }),
    steps,
  };
  const checked = validateDefinition(definition);
  const ids = new Set(steps.map(({ id }) => id));
  return {
    format,
    definition,
    faults: 'faults' in checked ? checked.faults : [],
    report: withKnownSteps(report.entries, ids),
  };
}

const unreached = 'unreached' satisfies Detail;

/** Returns the entries without steps to which no way leads: what became such a step is not in the bot. */
function withKnownSteps(entries: readonly Entry[], ids: ReadonlySet<string>): Entry[] {
  const lost = new Set(entries.flatMap(({ detail, pointer }) => (detail === unreached ? [pointer] : [])));
  return entries.flatMap(({ stepId, ...entry }): Entry[] => {
    if (stepId === undefined) return [entry];
    if (ids.has(stepId)) return [{ ...entry, stepId }];
    if (entry.outcome !== 'converted') return [entry];
    const isNamed = lost.has(entry.pointer);
    lost.add(entry.pointer);
    return isNamed ? [] : [{ ...entry, outcome: 'dropped', detail: unreached, values: { id: stepId } }];
  });
}
