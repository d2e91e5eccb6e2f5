import { endLabel, type Way } from '../parts/flow.ts';
import { compare } from '../parts/expressions.ts';
import { addQuestion, addSay } from '../parts/questions.ts';
import type { Source } from '../parts/source.ts';
import { filled, operandOf, type Typebot } from './bot.ts';
import type { InputBlock } from './input-blocks.ts';
import { conditionOf } from './conditions.ts';
import { formulaOf } from './formula.ts';
import { readRichText } from './rich-text.ts';

/** Adds what the blocks of a group become. */
export function addGroup(group: Source, bot: Typebot): void {
  const { flow, report } = bot.setting;
  const groupId = group.at('id').text() ?? '';
  report.ignored([group.at('graphCoordinates'), group.at('title')]);
  flow.mark(`group:${groupId}`);
  const blocks = group.at('blocks').items();
  blocks.forEach((block, index) => {
    const id = block.at('id').text() ?? '';
    const type = block.at('type').text() ?? '';
    // Before version 5.
    report.ignored([block.at('groupId')]);
    if (bot.targets.has(id)) flow.mark(`block:${id}`);
    const next = blocks[index + 1];
    const edge = block.at('outgoingEdgeId').text();
    if (type === 'text') addText(block, bot);
    else addBlock(block, bot);
    const label = edge === undefined ? undefined : labelOf(edge, bot);
    if (label !== undefined) flow.goTo(label, block);
    else if (next === undefined) flow.goTo(endLabel, block);
  });
  if (blocks.length === 0) flow.goTo(endLabel, group);
}

/** Returns the label to which an edge leads; undefined for one that does not exist. */
function labelOf(edgeId: string, bot: Typebot): string | undefined {
  const edge = bot.edges.get(edgeId);
  if (edge === undefined) return undefined;
  bot.usedEdges.add(edge.pointer);
  edge.at('id').text();
  for (const name of ['blockId', 'itemId', 'pathId', 'groupId']) edge.at('from', name).pass();
  const group = edge.at('to', 'groupId').text() ?? '';
  const block = edge.at('to', 'blockId').text();
  const label = block !== undefined && bot.blockIds.has(block) ? `block:${block}` : `group:${group}`;
  if (label.startsWith('group:') && !bot.groups.has(group)) {
    bot.setting.report.dropped(edge, 'target', { name: group });
    return undefined;
  }
  bot.setting.report.converted(edge, 'jump');
  return label;
}

function addText(block: Source, bot: Typebot): void {
  const { report, names } = bot.setting;
  const text = textOf(block, bot);
  if (text === '') return report.ignored([block.at('content')]);
  const id = names.step('say', 'say');
  addSay(id, text, block, bot.setting);
  report.converted(block, 'say', {}, id);
}

function textOf(block: Source, bot: Typebot): string {
  const { text, isFormatted } = readRichText(block.at('content'));
  if (isFormatted) bot.setting.report.changed(block, 'formatting');
  return filled(text, block, bot).trim();
}

function addBlock(block: Source, bot: Typebot): void {
  const { report } = bot.setting;
  const input = bot.inputs.get(String(block.at('id').value));
  if (input !== undefined) return addInput(block, input, bot);
  const type = String(block.at('type').value);
  switch (type) {
    case 'start':
      return block.at('label').pass();
    case 'Condition':
      return addCondition(block, bot);
    case 'Set variable':
      return addSet(block, bot);
    case 'Jump':
      return addJump(block.at('options', 'groupId'), block.at('options', 'blockId'), block, bot);
    case 'Typebot link':
      return addLink(block, bot);
    case 'Redirect':
    case 'video':
    case 'embed':
    case 'audio':
      return addAddress(block, bot);
    case 'AB test':
      return addHalf(block, bot);
    case 'image':
      return report.dropped(block, 'media', { name: 'image' });
    default:
      return report.dropped(block, 'block', { name: type });
  }
}

/** Adds a question. Its words are the text before it, else the hint in its field. */
function addInput(block: Source, input: InputBlock, bot: Typebot): void {
  const { flow, report, names } = bot.setting;
  const options = block.at('options');
  options.at('variableId').text();
  const isTarget = bot.targets.has(String(block.at('id').value));
  const before = isTarget ? undefined : flow.takeText();
  const said = report.entries.find(({ stepId, detail }) => detail === 'say' && stepId === before?.id);
  if (said !== undefined) report.becomesQuestion(said, input.id);
  const placeholder = options.at('labels', 'placeholder');
  const text = before?.text ?? (filled(placeholder.text() ?? '', placeholder, bot) || undefined);
  if (before !== undefined) report.unsupported([placeholder], 'placeholder', input.id);
  const retry = options.at('retryMessageContent').text();
  addQuestion(
    {
      id: input.id,
      text,
      input: input.input,
      isRequired: true,
      retry: retry ? filled(retry, options.at('retryMessageContent'), bot) : undefined,
    },
    block,
    bot.setting,
    input.key ?? names.evaluation(input.id, 'answer'),
  );
  report.converted(
    block,
    'question',
    { from: String(block.at('type').value), to: input.input.type },
    input.id,
  );
  report.unsupported([options.at('labels', 'button'), options.at('buttonLabel')], 'button', input.id);
  const ways: Way[] = [];
  const items = block.at('items').items();
  for (const item of items.flatMap((one) => [one, ...one.at('paths').items()])) {
    item.at('id').text();
    report.ignored([item.at('blockId'), item.at('type')]);
    const edge = item.at('outgoingEdgeId').text();
    const value = input.items.get(String(item.at('id').value));
    const label = edge === undefined ? undefined : labelOf(edge, bot);
    if (label === undefined || value === undefined) continue;
    const condition = compare('equal', input.operand, value);
    if (condition !== undefined) ways.push({ anyOf: [condition], to: label, source: item });
  }
  flow.branch(ways, block);
}

function addCondition(block: Source, bot: Typebot): void {
  const { flow, report } = bot.setting;
  const ways: Way[] = [];
  for (const item of block.at('items').items()) {
    item.at('id').text();
    report.ignored([item.at('blockId'), item.at('type')]);
    const edge = item.at('outgoingEdgeId').text();
    const condition = conditionOf(item.at('content'), bot);
    const label = edge === undefined ? endLabel : labelOf(edge, bot);
    if (condition === undefined || label === undefined) report.dropped(item, 'condition');
    else ways.push({ anyOf: condition, to: label, source: item });
  }
  if (ways.length > 0) report.converted(block, 'branch');
  flow.branch(ways, block);
}

function addSet(block: Source, bot: Typebot): void {
  const { flow, report, names } = bot.setting;
  const options = block.at('options');
  const role = bot.roles.get(options.at('variableId').text() ?? '');
  const type = options.at('type').text() ?? 'Custom';
  const formula = options.at('expressionToEvaluate').text() ?? '';
  const isCode = options.at('isCode').flag() === true;
  report.ignored(['isExecutedOnClient', 'isUnsafe', 'expressionDescription'].map((name) => options.at(name)));
  const value = valueSet(type, formula, isCode, bot);
  if (role?.kind !== 'value' || value === undefined) {
    return report.dropped(block, 'calculation', { name: type === 'Custom' ? formula : type });
  }
  const { key } = role.variable;
  const id = names.step(`set_${key}`, 'set');
  flow.add({ id, kind: 'set', evaluation: { [key]: value } }, block);
  report.converted(block, 'calculation', { name: key }, id);
}

function valueSet(type: string, formula: string, isCode: boolean, bot: Typebot): string | undefined {
  if (type === 'Empty') return "''";
  if (type === 'User ID') return 'customer.id';
  if (type !== 'Custom') return undefined;
  return formulaOf(formula, (name) => operandOf(bot.byName.get(name)), isCode);
}

function addJump(groupId: Source, blockId: Source, block: Source, bot: Typebot): void {
  const { flow, report } = bot.setting;
  const [group, target] = [groupId.text() ?? '', blockId.text()];
  if (target !== undefined && bot.blockIds.has(target)) flow.goTo(`block:${target}`, block);
  else if (bot.groups.has(group)) flow.goTo(`group:${group}`, block);
  else return report.dropped(block, 'target', { name: group });
  report.converted(block, 'jump');
}

/** A link to a group of the same bot is a jump. */
function addLink(block: Source, bot: Typebot): void {
  const options = block.at('options');
  const other = options.at('typebotId').text();
  if (other === 'current' || other === bot.root.at('id').value) {
    options.at('mergeResults').pass();
    bot.setting.report.changed(block, 'call');
    return addJump(options.at('groupId'), options.at('blockId'), block, bot);
  }
  bot.setting.report.dropped(block, 'other-bot');
}

/** Customers see the address. */
function addAddress(block: Source, bot: Typebot): void {
  const { report, names } = bot.setting;
  const type = String(block.at('type').value);
  const parts = block.at(type === 'Redirect' ? 'options' : 'content');
  const url = parts.at('url').text() ?? '';
  if (url === '') return report.dropped(block, 'media', { name: type });
  const id = names.step(type.toLowerCase(), 'say');
  addSay(id, filled(url, parts.at('url'), bot), block, bot.setting);
  report.changed(block, 'address', { address: url }, id);
  report.unsupported(
    parts.members().flatMap(([name, member]) => (name === 'url' ? [] : [member])),
    'option',
    id,
  );
}

/** All customers take the first way. */
function addHalf(block: Source, bot: Typebot): void {
  const { flow, report } = bot.setting;
  const [first] = block.at('items').items();
  const edge = first?.at('outgoingEdgeId').text();
  const label = edge === undefined ? undefined : labelOf(edge, bot);
  report.dropped(block, 'ab-test');
  if (label !== undefined) flow.goTo(label, block);
}
