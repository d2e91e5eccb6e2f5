import type { ApiKey, Bot, Member, OpenLink, Webhook } from '@parley/client';
import { useQueries, useQuery } from '@tanstack/react-query';
import { type UseNavigateResult, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { botsQuery } from '../../data/bots.ts';
import { webhooksQuery } from '../../data/deliveries.ts';
import { useLive } from '../../data/live.tsx';
import { useWorkspace, type Workspace } from '../../data/workspace.tsx';
import { base } from '../../environment.ts';
import { type Texts, useTexts } from '../../texts/texts.tsx';
import { opening } from '../../ui/forms/opening.ts';
import { screens } from '../screens.ts';
import type { Place } from './places.ts';

const pageSize = 50;
/** Of keys, of members, and of the links of a bot. */
const namesMax = 1_000;
/** Each bot has a list of its own. */
const botsWithLinksMax = 100;

/** Returns the first entries of a list, page by page. */
async function named<Entry>(list: AsyncIterable<Entry>): Promise<Entry[]> {
  const found: Entry[] = [];
  for await (const entry of list) {
    if (found.push(entry) === namesMax) break;
  }
  return found;
}

const keysQuery = ({ id, client }: Workspace) => ({
  queryKey: [id, 'keys', 'names'],
  queryFn: ({ signal }: { signal: AbortSignal }) => named(client.keys.list({ limit: pageSize }, { signal })),
  staleTime: 60_000,
});

const membersQuery = ({ id, client }: Workspace) => ({
  queryKey: [id, 'members', 'all'],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    named(client.members.list({ limit: pageSize }, { signal })),
  staleTime: 60_000,
});

const linksQuery = ({ id, client }: Workspace, bot: Bot) => ({
  queryKey: [id, 'open-links', bot.id, 'names'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const links = await named(client.bots.openLinks.list(bot.id, { limit: pageSize }, { signal }));
    return links.map((link) => ({ bot, link }));
  },
  staleTime: 60_000,
});

interface Parts {
  texts: Texts;
  workspace: Workspace;
  navigate: UseNavigateResult<string>;
}

/** Returns what was loaded so far. */
function dataOf<Entry>(results: readonly { data: Entry[] | undefined }[]): Entry[] {
  return results.flatMap(({ data }) => data ?? []);
}

interface Wanted {
  /** Whether the list is open. Then bots and webhooks are loaded. */
  isOpen: boolean;
  /** Whether it has a text. Then keys, members and links are loaded, which may be many pages. */
  hasText: boolean;
}

/** Returns all that has a name, but customers. */
export function usePlaces({ isOpen, hasText }: Wanted, isOperator: boolean): Place[] {
  const texts = useTexts();
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const { toggle } = useLive();
  const { can } = workspace;
  const { data: bots } = useQuery({ ...botsQuery(workspace), enabled: isOpen && can('bots:read') });
  const { data: webhooks } = useQuery({
    ...webhooksQuery(workspace),
    staleTime: 60_000,
    enabled: isOpen && can('webhooks:read'),
  });
  const isNamed = isOpen && hasText;
  const { data: keys } = useQuery({ ...keysQuery(workspace), enabled: isNamed && can('keys:read') });
  const { data: members } = useQuery({
    ...membersQuery(workspace),
    enabled: isNamed && can('workspace:read'),
  });
  const links = useQueries({
    queries: (isNamed ? (bots ?? []) : [])
      .slice(0, botsWithLinksMax)
      .map((bot) => linksQuery(workspace, bot)),
    combine: dataOf,
  });
  return useMemo(() => {
    const parts = { texts, workspace, navigate };
    const pause = { id: 'pause', group: 'actions' as const, name: texts.common.pauseUpdates, open: toggle };
    const reference = {
      id: 'reference',
      group: 'screens' as const,
      name: texts.search.reference,
      open: () => void window.open(`${base}/docs`, '_blank', 'noopener'),
    };
    const operator = { id: 'operator', group: 'screens' as const, name: texts.operator.open };
    return [
      ...screenPlaces(parts),
      ...(isOperator ? [{ ...operator, open: () => void navigate({ to: '/operator' }) }] : []),
      reference,
      ...actionPlaces(parts),
      pause,
      ...(bots ?? []).flatMap((bot) => botPlaces(parts, bot)),
      ...links.map(({ bot, link }) => linkPlace(parts, bot, link)),
      ...(webhooks ?? []).map((webhook) => webhookPlace(parts, webhook)),
      ...(keys ?? []).map((key) => keyPlace(parts, key)),
      ...(members ?? []).map((member) => memberPlace(parts, member)),
    ];
  }, [texts, navigate, workspace, toggle, bots, links, webhooks, keys, members, isOperator]);
}

function screenPlaces({ texts, workspace, navigate }: Parts): Place[] {
  const { navigation, access, audit, customers, invitations } = texts;
  const params = { workspaceId: workspace.id };
  const others = [
    { name: access.members, to: '/w/$workspaceId/access/members' },
    { name: audit.title, to: '/w/$workspaceId/access/audit' },
    { name: customers.allReceipts, to: '/w/$workspaceId/receipts' },
    { name: invitations.title, to: '/w/$workspaceId/interactions/import' },
  ] as const;
  const named = [...screens.map(({ id, to }) => ({ name: navigation[id], to })), ...others];
  return named.map(({ name, to }) => ({
    id: `screen ${to}`,
    group: 'screens',
    name,
    open: () => void navigate({ to, params }),
  }));
}

/** Those that the person may do. */
function actionPlaces({ texts, workspace: { id: workspaceId, can }, navigate }: Parts): Place[] {
  const { bots, interactions, webhooks, access, search } = texts;
  const actions = [
    { opens: 'bot', name: bots.create, scope: 'bots:write', to: '/w/$workspaceId/bots' },
    {
      opens: 'interaction',
      name: interactions.create,
      scope: 'interactions:write',
      to: '/w/$workspaceId/interactions',
    },
    { opens: 'webhook', name: webhooks.create, scope: 'webhooks:write', to: '/w/$workspaceId/webhooks' },
    { opens: 'key', name: access.create, scope: 'keys:write', to: '/w/$workspaceId/access' },
    {
      opens: 'invitation',
      name: search.invite,
      scope: 'workspace:write',
      to: '/w/$workspaceId/access/members',
    },
  ] as const;
  return actions
    .filter(({ scope }) => can(scope))
    .map(({ opens, name, to }) => ({
      id: `new ${opens}`,
      group: 'actions',
      name,
      open: () => void navigate({ to, params: { workspaceId }, state: opening(opens) }),
    }));
}

function botPlaces({ texts, workspace, navigate }: Parts, { id, name }: Bot): Place[] {
  const params = { workspaceId: workspace.id, botId: id };
  return [
    {
      id: `bot ${id}`,
      group: 'bots',
      name,
      open: () => void navigate({ to: '/w/$workspaceId/bots/$botId', params }),
    },
    {
      id: `edit ${id}`,
      group: 'bots',
      name: texts.search.edit(name),
      open: () => void navigate({ to: '/w/$workspaceId/bots/$botId/edit', params }),
    },
  ];
}

/** Leads to the list of the bot, where links are managed. */
function linkPlace({ workspace, navigate }: Parts, bot: Bot, { id, name }: OpenLink): Place {
  const params = { workspaceId: workspace.id, botId: bot.id };
  return {
    id: `link ${id}`,
    group: 'links',
    name,
    about: bot.name,
    open: () => void navigate({ to: '/w/$workspaceId/bots/$botId/links', params }),
  };
}

function webhookPlace({ workspace, navigate }: Parts, { id, url }: Webhook): Place {
  const params = { workspaceId: workspace.id, webhookId: id };
  return {
    id: `webhook ${id}`,
    group: 'webhooks',
    name: url,
    open: () => void navigate({ to: '/w/$workspaceId/webhooks/$webhookId', params }),
  };
}

function keyPlace({ workspace, navigate }: Parts, { apiKey, name }: ApiKey): Place {
  return {
    id: `key ${apiKey}`,
    group: 'keys',
    name: name === '' ? apiKey : name,
    about: apiKey,
    open: () => void navigate({ to: '/w/$workspaceId/access', params: { workspaceId: workspace.id } }),
  };
}

/** The list of members has no screen for one of them. */
function memberPlace({ texts, workspace, navigate }: Parts, { memberId, name, email }: Member): Place {
  return {
    id: `member ${memberId}`,
    group: 'members',
    name: name ?? email ?? texts.access.unnamed,
    about: name === null ? undefined : (email ?? undefined),
    open: () =>
      void navigate({ to: '/w/$workspaceId/access/members', params: { workspaceId: workspace.id } }),
  };
}
