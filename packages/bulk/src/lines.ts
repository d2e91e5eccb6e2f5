import type { Bot, NewInteraction } from '@parley/client';
import { faultOf, type FileFault, type FilePlace, type ValueFault } from './faults.ts';

/** The fields that lines without them get. */
export type Defaults = Partial<
  Pick<NewInteraction, 'botKey' | 'botId' | 'status' | 'priority' | 'expiry' | 'availableFrom' | 'isTest'>
>;

export interface Line {
  /** The row that a spreadsheet shows, from 1; in NDJSON the line. */
  row: number;
  /** Where it begins in the text. */
  offset: number;
  /** With the defaults. */
  item: NewInteraction;
  /** Returns where the value with this pointer is in the text, or would be. */
  placeOf(pointer: string): FilePlace;
}

/** What a file has: its interactions, and the faults of all lines that are none. */
export interface Lines {
  lines: Line[];
  faults: FileFault[];
}

/** Returns an item with the defaults. A bot of the item replaces the bot of the defaults. */
export function withDefaults<Item extends object>(item: Item, { botId, botKey, ...others }: Defaults): Item {
  const bot = 'botId' in item || 'botKey' in item ? {} : { botId, botKey };
  const given = Object.entries({ ...bot, ...others }).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), ...item };
}

export function faultAt(
  { row, placeOf }: Pick<Line, 'row' | 'placeOf'>,
  pointer: string,
  fault: ValueFault,
): FileFault {
  return { ...fault, row, ...placeOf(pointer) };
}

export function nameBots(lines: readonly Line[]): boolean {
  return lines.some(({ item }) => item.botId !== undefined || item.botKey !== undefined);
}

/**
 * Returns the faults of lines that do not name exactly one bot, and of lines that would replace what an earlier line
 * says about the same customer. The values of the latter are the row and the offset of the earlier line.
 */
export function faultsBetween(lines: readonly Line[]): FileFault[] {
  const first = new Map<string, { line: Line; value: string }>();
  return lines.flatMap((line) => {
    const { customerId, customer = {}, botId, botKey } = line.item;
    const faults = Object.entries(customer).flatMap(([field, value]) => {
      const key = `${field} ${customerId}`;
      const earlier = first.get(key);
      if (!earlier) first.set(key, { line, value });
      if (!earlier || earlier.value === value) return [];
      return [
        faultAt(line, `/customer/${field}`, faultOf('otherValue', earlier.line.row, earlier.line.offset)),
      ];
    });
    if ((botId === undefined) !== (botKey === undefined)) return faults;
    return [...faults, faultAt(line, '/botKey', faultOf('notOneBot'))];
  });
}

/** What bots take as context, by the names of `botName`. Undefined: there is no such bot. */
export type Contexts = ReadonlyMap<string, readonly string[] | undefined>;

export function botNames(lines: readonly Line[]): string[] {
  return [...new Set(lines.map(({ item }) => botName(item)))];
}

/** Reads the bots of lines, each once. `list` returns the bots of the workspace: all, or the one with a key. */
export async function readContexts(
  lines: readonly Line[],
  list: (query: { key?: string }) => Promise<readonly Pick<Bot, 'id' | 'context'>[]>,
): Promise<Contexts> {
  const contexts = new Map<string, readonly string[] | undefined>();
  let all: ReturnType<typeof list> | undefined;
  for (const { item } of lines) {
    const { botId, botKey } = item;
    const name = botName(item);
    if (contexts.has(name)) continue;
    const [found] =
      botKey === undefined
        ? (await (all ??= list({}))).filter(({ id }) => id === botId)
        : await list({ key: botKey });
    contexts.set(name, found?.context);
  }
  return contexts;
}

function botName({ botKey, botId }: NewInteraction): string {
  return botKey === undefined ? `id ${botId}` : `key ${botKey}`;
}

/** Returns the faults of lines whose bot does not exist, or does not take their context. */
export function botFaults(lines: readonly Line[], contexts: Contexts): FileFault[] {
  return lines.flatMap((line) => {
    const { botKey, context = [] } = line.item;
    const names = contexts.get(botName(line.item));
    if (!names) return [faultAt(line, botKey === undefined ? '/botId' : '/botKey', faultOf('unknownBot'))];
    const fault = names.length > 0 ? faultOf('notOneOf', names.join(', ')) : faultOf('noContext');
    return context.flatMap(({ key }, index) =>
      names.includes(key) ? [] : [faultAt(line, `/context/${index}/key`, fault)],
    );
  });
}
