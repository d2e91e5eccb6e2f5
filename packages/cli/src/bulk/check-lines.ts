import type { NewInteraction } from '@parley/client';
import type { Fault } from '@parley/runtime/errors';
import type { Api } from '../api.ts';
import { called } from '../api.ts';
import { counted } from '../counted.ts';
import { Failure, type FaultInFile } from '../failure.ts';
import type { CheckedLine } from './chunks.ts';
import type { Line, Lines } from './line.ts';
import { checkInteraction } from './new-interaction.ts';

/** The fields that options give to lines without them. */
export type Defaults = Partial<Pick<NewInteraction, 'botKey' | 'status' | 'priority' | 'expiry'>>;

/** The largest number of faults in the output. */
const shownMax = 100;

/**
 * Checks all lines as the API would, before any is sent: their fields, that their bots exist, and that these take their
 * context. Throws a `Failure` with the places of the faults, the first hundred of them.
 */
export async function checkLines(
  file: string,
  read: Lines,
  defaults: Defaults,
  api: Pick<Api, 'workspace' | 'botId'>,
): Promise<CheckedLine[]> {
  if ('faults' in read) throw invalidFile(file, read.faults);
  if (read.lines.length === 0) throw new Failure(`${file} has no lines`, { type: 'empty-file' });
  if (defaults.botKey === undefined && !read.lines.some(({ value }) => namesBot(value)))
    throw new Failure(`${file} names no bot: pass --bot KEY, or name it in the file`, { type: 'no-bot' });
  const faults: FaultInFile[] = [];
  const checked: (CheckedLine & { line: Line })[] = [];
  for (const line of read.lines) {
    const result = checkInteraction(withDefaults(line.value, defaults));
    if ('item' in result) checked.push({ number: line.number, item: result.item, line });
    else faults.push(...result.faults.map(line.place));
  }
  faults.push(...contradictions(checked));
  if (faults.length > 0) throw invalidFile(file, faults);
  // A fault of the option is no fault of each line.
  if (defaults.botKey !== undefined) await api.botId(defaults.botKey);
  const contextOf = await readBots(checked, api);
  for (const { item, line } of checked) faults.push(...botFaults(item, contextOf(item)).map(line.place));
  if (faults.length > 0) throw invalidFile(file, faults);
  return checked.map(({ number, item }) => ({ number, item }));
}

/** Returns the faults of lines that would replace what an earlier line says about the same customer. */
function contradictions(lines: readonly (CheckedLine & { line: Line })[]): FaultInFile[] {
  const first = new Map<string, { number: number; value: string }>();
  return lines.flatMap(({ number, item: { customerId, customer = {} }, line }) =>
    Object.entries(customer).flatMap(([field, value]) => {
      const key = `${field} ${customerId}`;
      const earlier = first.get(key);
      if (!earlier) first.set(key, { number, value });
      if (!earlier || earlier.value === value) return [];
      const detail = `Line ${earlier.number} has another value for this customer`;
      return [line.place({ pointer: `/customer/${field}`, detail })];
    }),
  );
}

function namesBot(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('botId' in value || 'botKey' in value);
}

function withDefaults(value: unknown, { botKey, ...others }: Defaults): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const names = namesBot(value) ? others : { ...others, ...(botKey !== undefined && { botKey }) };
  return { ...names, ...value };
}

/** Returns a function for the names that the bot of a line takes as context; undefined if there is no such bot. */
async function readBots(
  lines: readonly CheckedLine[],
  { workspace }: Pick<Api, 'workspace'>,
): Promise<(item: NewInteraction) => readonly string[] | undefined> {
  const bots = new Map<string, readonly string[] | undefined>();
  for (const { item } of lines) {
    const name = nameOf(item);
    if (bots.has(name)) continue;
    const { data } = await called(
      item.botKey === undefined ? allBots() : workspace.bots.list({ key: item.botKey }),
    );
    bots.set(name, data.find(({ id }) => item.botKey !== undefined || id === item.botId)?.context);
  }
  return (item) => bots.get(nameOf(item));

  function allBots() {
    return workspace.bots.list();
  }
}

function nameOf({ botKey, botId }: NewInteraction): string {
  return botKey === undefined ? `id ${botId}` : `key ${botKey}`;
}

function botFaults({ botKey, context = [] }: NewInteraction, taken: readonly string[] | undefined): Fault[] {
  if (!taken)
    return [{ pointer: botKey === undefined ? '/botId' : '/botKey', detail: 'There is no such bot' }];
  return context.flatMap(({ key }, index) => {
    if (taken.includes(key)) return [];
    const detail = taken.length > 0 ? `Must be one of: ${taken.join(', ')}` : 'This bot takes no context';
    return [{ pointer: `/context/${index}/key`, detail }];
  });
}

function invalidFile(file: string, faults: FaultInFile[]): Failure {
  const first = faults.length > shownMax ? `, of which the first ${shownMax} follow` : '';
  const message = `${file} has ${counted(faults.length, 'fault')}${first}; nothing was sent`;
  return new Failure(message, { type: 'invalid-file', faults: faults.slice(0, shownMax) });
}
