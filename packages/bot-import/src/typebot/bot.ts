import type { BotDefinition } from '@parley/bot/format';
import { isJsonObject } from '@parley/runtime/json/json-object';
import type { Operand } from '../parts/expressions.ts';
import type { Setting } from '../parts/setting.ts';
import type { Source } from '../parts/source.ts';
import { reference, withReferences } from '../parts/texts.ts';
import type { Variable } from '../parts/variables.ts';
import { inputsOf, type InputBlock } from './input-blocks.ts';

/** What a variable of the bot becomes. */
export type Role =
  | { kind: 'context'; name: string; hasStart: boolean }
  | { kind: 'answer'; input: InputBlock }
  | { kind: 'value'; variable: Variable; inputs: InputBlock[] };

export type Typebot = {
  setting: Setting;
  root: Source;
  context: NonNullable<BotDefinition['context']>;
  /** By the id of the block. */
  inputs: Map<string, InputBlock>;
  /** By the id of the variable, and by its name. */
  roles: Map<string, Role>;
  byName: Map<string, Role>;
  edges: Map<string, Source>;
  /** The pointers of the edges that became ways. */
  usedEdges: Set<string>;
  groups: Map<string, Source>;
  /** The ids of blocks to which something leads. */
  targets: Set<string>;
  blockIds: Set<string>;
};

/** Reads what texts, conditions and ways can name. */
export function readBot(root: Source, setting: Setting): Typebot {
  const groups = root.at('groups').items();
  const blocks = groups.flatMap((group) => group.at('blocks').items());
  const edges = root.at('edges').items();
  const names = new Map(
    root
      .at('variables')
      .items()
      .map((one) => [one.at('id').value, String(one.at('name').value)]),
  );
  const bot: Typebot = {
    setting,
    root,
    context: [],
    inputs: inputsOf(blocks, names, setting),
    roles: new Map(),
    byName: new Map(),
    edges: new Map(edges.map((edge) => [String(edge.at('id').value), edge])),
    usedEdges: new Set(),
    groups: new Map(groups.map((group) => [String(group.at('id').value), group])),
    targets: new Set(
      [
        ...edges.map((edge) => edge.at('to', 'blockId').value),
        ...blocks.map((block) => block.at('options', 'blockId').value),
      ].map(String),
    ),
    blockIds: new Set(blocks.map((block) => String(block.at('id').value))),
  };
  const setIn = new Set(
    blocks.flatMap((block) =>
      block.at('type').value === 'Set variable' ? [block.at('options', 'variableId').value] : [],
    ),
  );
  for (const variable of root.at('variables').items()) readVariable(variable, { setIn, blocks }, bot);
  return bot;
}

type Blocks = { setIn: ReadonlySet<unknown>; blocks: readonly Source[] };

function readVariable(source: Source, { setIn, blocks }: Blocks, bot: Typebot): void {
  const { report, names } = bot.setting;
  const id = source.at('id').text() ?? '';
  const name = source.at('name').text() ?? '';
  const start = source.at('value').text();
  report.ignored([source.at('isSessionVariable')]);
  const inputs = [...bot.inputs.values()].filter(({ variableId }) => variableId === id);
  const [only] = inputs;
  let role: Role;
  if (inputs.length === 0 && !setIn.has(id)) {
    const property = names.context(name, 'value');
    role = { kind: 'context', name: property, hasStart: start !== undefined && start !== '' };
    bot.context.push({
      name: property,
      ...(start !== undefined && start !== '' && { default: start.slice(0, 2000) }),
    });
    const giver = giverOf({ id, name }, blocks);
    if (giver !== undefined) report.changed(source, 'context-given', { name: property, block: giver });
    else if (property === name) report.converted(source, 'context', { name: property });
    else report.changed(source, 'context-renamed', { name: property });
  } else {
    const key = names.evaluation(name, 'value');
    for (const input of inputs) input.key = key;
    role =
      inputs.length === 1 && only !== undefined && !setIn.has(id) && (start ?? '') === ''
        ? { kind: 'answer', input: only }
        : { kind: 'value', variable: { key, type: 'text', start: start === '' ? undefined : start }, inputs };
    if (role.kind === 'value' && inputs.some(({ values }) => values.size > 0))
      report.changed(source, 'variable-values', { name: key });
    else report.converted(source, 'variable', { name: key });
  }
  bot.roles.set(id, role);
  bot.byName.set(name, role);
}

/** Returns the type of the block that gives a variable its value, such as a script. No step of a bot does. */
function giverOf({ id, name }: { id: string; name: string }, blocks: readonly Source[]): string | undefined {
  const isTarget = (value: unknown): boolean =>
    Array.isArray(value)
      ? value.some(isTarget)
      : isJsonObject(value) &&
        Object.entries(value).some(
          ([key, one]) =>
            (key === 'variableId' && one === id) || (key !== 'variablesForTest' && isTarget(one)),
        );
  const isSetIn = (script: unknown): boolean =>
    typeof script === 'string' &&
    [...script.matchAll(/setVariable\(\s*(["'`])(.*?)\1/g)].some(([, , named]) => named === name);
  const giver = blocks.find(
    (block) => isTarget(block.at('options').value) || isSetIn(block.at('options', 'content').value),
  );
  return giver && String(giver.at('type').value);
}

/** Returns a variable as an operand. */
export function operandOf(role: Role | undefined): Operand | undefined {
  switch (role?.kind) {
    case 'context': {
      const value = `context.${role.name}`;
      return role.hasStart ? { value, type: 'string' } : { value, type: 'string', has: `has(${value})` };
    }
    case 'answer':
      return role.input.operand;
    case 'value': {
      const value = `evaluation.${role.variable.key}`;
      return { value, type: 'string', has: `has(${value})` };
    }
    default:
      return undefined;
  }
}

/** Returns what an answer in a text is to a condition: the value of the choice with that label. */
export function valueOf(role: Role, text: string): string | undefined {
  if (role.kind === 'context') return text;
  const inputs = role.kind === 'answer' ? [role.input] : role.inputs;
  const known = inputs.find(({ values }) => values.has(text))?.values.get(text);
  if (known !== undefined) return known;
  const isChosen = role.kind === 'answer' && role.input.values.size > 0;
  return isChosen ? undefined : text;
}

/** Returns a text with references in place of the names of variables. */
export function filled(text: string, source: Source, bot: Typebot): string {
  return withReferences(text, /\{\{([^{}]+)\}\}/g, (inside) => {
    const role = bot.byName.get(inside.trim());
    if (role?.kind === 'context') return reference(`context.${role.name}`);
    if (role?.kind === 'answer') return reference(`answers.${role.input.id}`);
    if (role?.kind === 'value') return reference(`evaluation.${role.variable.key}`);
    bot.setting.report.changed(source, 'reference-lost', { name: inside });
    return '';
  });
}
