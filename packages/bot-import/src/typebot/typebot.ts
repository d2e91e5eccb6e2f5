import { isJsonObject } from '@parley/runtime/json/json-object';
import type { Converted, Setting } from '../parts/setting.ts';
import type { Source } from '../parts/source.ts';
import { startVariables, variableSteps } from '../parts/variables.ts';
import { addGroup } from './blocks.ts';
import { readBot, type Typebot } from './bot.ts';

/** Whether a file is a bot of Typebot: version 3 to 6. */
export function isTypebot(value: unknown): boolean {
  return isJsonObject(value) && Array.isArray(value['groups']) && Array.isArray(value['edges']);
}

export function convertTypebot(root: Source, setting: Setting): Converted {
  const bot = readBot(root, setting);
  setting.report.converted(root.at('name'), 'name');
  ignoreSettings(root, setting);
  const variables = [...bot.roles.values()].flatMap((role) => (role.kind === 'value' ? [role.variable] : []));
  startVariables(variables, root.at('variables'), setting);
  const start = startOf(bot);
  const order = start === undefined ? [] : orderOf(start, bot);
  if (start !== undefined) startAt(start, bot);
  for (const group of order) addGroup(group, bot);
  reportLeft(new Set(order), bot);
  return {
    name: root.at('name').text() ?? '',
    locale: 'en',
    context: bot.context,
    evaluation: [
      ...variableSteps(variables),
      ...[...bot.inputs.values()].flatMap(({ key }) => (key === undefined ? [] : [key])),
    ],
  };
}

/** Continues where the start leads, if that is not the first block of its group. */
function startAt(edge: Source, { blockIds, groups, setting }: Typebot): void {
  const block = edge.at('to', 'blockId').value;
  const group = groups.get(String(edge.at('to', 'groupId').value));
  const isFirst = group?.at('blocks', 0, 'id').value === block;
  if (typeof block === 'string' && blockIds.has(block) && !isFirst) setting.flow.goTo(`block:${block}`, edge);
}

/** Returns the edge of the start event, or, before version 6, of the start block. */
function startOf({ root, edges, setting }: Typebot): Source | undefined {
  const { report } = setting;
  const events = root.at('events').items();
  const start = events.find((event) => event.at('type').value === 'start');
  for (const event of events) {
    if (event === start) report.ignored(['graphCoordinates', 'id', 'type'].map((name) => event.at(name)));
    else report.dropped(event, 'event', { name: String(event.at('type').value) });
  }
  const isStart = (block: Source): boolean => block.at('type').value === 'start';
  const group = root
    .at('groups')
    .items()
    .find((one) => one.at('blocks').items().some(isStart));
  if (start === undefined && group !== undefined) report.ignored([group]);
  const edgeId = (start ?? group?.at('blocks').items().find(isStart))?.at('outgoingEdgeId').text();
  return edgeId === undefined ? undefined : edges.get(edgeId);
}

/** Returns the groups that the start leads to, each followed by those to which it leads. */
function orderOf(start: Source, bot: Typebot): Source[] {
  const order = new Set<Source>();
  const visit = (groupId: unknown): void => {
    const group = bot.groups.get(String(groupId));
    if (group === undefined || order.has(group)) return;
    order.add(group);
    for (const id of leadsTo(group, bot)) visit(id);
  };
  start.at('id').text();
  for (const name of ['eventId', 'blockId', 'groupId']) start.at('from', name).pass();
  for (const name of ['groupId', 'blockId']) start.at('to', name).pass();
  bot.usedEdges.add(start.pointer);
  bot.setting.report.converted(start, 'jump');
  visit(start.at('to', 'groupId').value);
  return [...order];
}

/** Reports groups to which nothing leads, and connections between them. */
function reportLeft(order: ReadonlySet<Source>, { root, groups, edges, usedEdges, setting }: Typebot): void {
  const { report } = setting;
  const known = new Set(report.places());
  for (const group of groups.values()) {
    if (order.has(group) || known.has(group.pointer)) continue;
    const id = group.at('title').text() || group.at('id').text() || '';
    report.dropped(group, 'unreached', { id });
  }
  for (const edge of edges.values()) {
    if (!usedEdges.has(edge.pointer)) report.dropped(edge, 'edge-unused');
  }
  for (const group of root.at('groups').items()) group.at('id').pass();
}

function leadsTo(group: Source, bot: Typebot): unknown[] {
  return group
    .at('blocks')
    .items()
    .flatMap((block) => {
      const items = block.at('items').items();
      const outgoing = [...items, ...items.flatMap((item) => item.at('paths').items()), block];
      const edges = outgoing.flatMap((one) => bot.edges.get(String(one.at('outgoingEdgeId').value)) ?? []);
      const target = block.at('options', 'blockId').value;
      const ofBlock = [...bot.groups.values()].find((one) =>
        one
          .at('blocks')
          .items()
          .some((inside) => inside.at('id').value === target),
      );
      const jump = block.at('options', 'groupId').value ?? ofBlock?.at('id').value;
      return [...edges.map((one) => one.at('to', 'groupId').value), ...(jump === undefined ? [] : [jump])];
    });
}

const ignored =
  'version id createdAt updatedAt folderId publicId customDomain workspaceId icon resultsTablePreferences isArchived isClosed ' +
  'whatsAppCredentialsId riskLevel spaceId selectedThemeTemplateId';

function ignoreSettings(root: Source, { report }: Setting): void {
  report.ignored(ignored.split(' ').map((name) => root.at(name)));
  report.unsupported([root.at('theme')], 'look');
  report.unsupported(
    root
      .at('settings')
      .members()
      .map(([, member]) => member),
    'setting',
  );
}
