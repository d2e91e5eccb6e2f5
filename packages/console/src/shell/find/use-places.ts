import type { ApiKey, Bot, Webhook } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { type UseNavigateResult, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { botsQuery } from '../../data/bots.ts';
import { webhooksQuery } from '../../data/deliveries.ts';
import { useLive } from '../../data/live.tsx';
import { useWorkspace, type Workspace } from '../../data/workspace.tsx';
import { type Texts, useTexts } from '../../texts/texts.tsx';
import { opening } from '../../ui/forms/opening.ts';
import { screens } from '../screens.ts';
import type { Place } from './places.ts';

const keysMax = 50;

/** The first API keys by name. The list of the screen has all. */
const keysQuery = ({ id, client }: Workspace) => ({
  queryKey: [id, 'keys', 'names'],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await client.keys.list({ limit: keysMax }, { signal })).data,
  staleTime: 60_000,
});

interface Parts {
  texts: Texts;
  workspace: Workspace;
  navigate: UseNavigateResult<string>;
}

/** Returns all that has a name, but customers. Bots, webhooks and keys are loaded while `isWanted`. */
export function usePlaces(isWanted: boolean, isOperator: boolean): Place[] {
  const texts = useTexts();
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const { toggle } = useLive();
  const { can } = workspace;
  const { data: bots } = useQuery({ ...botsQuery(workspace), enabled: isWanted && can('bots:read') });
  const { data: webhooks } = useQuery({
    ...webhooksQuery(workspace),
    staleTime: 60_000,
    enabled: isWanted && can('webhooks:read'),
  });
  const { data: keys } = useQuery({ ...keysQuery(workspace), enabled: isWanted && can('keys:read') });
  return useMemo(() => {
    const parts = { texts, workspace, navigate };
    const pause = { id: 'pause', group: 'actions' as const, name: texts.common.pauseUpdates, open: toggle };
    const operator = { id: 'operator', group: 'screens' as const, name: texts.operator.open };
    return [
      ...screenPlaces(parts),
      ...(isOperator ? [{ ...operator, open: () => void navigate({ to: '/operator' }) }] : []),
      ...actionPlaces(parts),
      pause,
      ...(bots ?? []).flatMap((bot) => botPlaces(parts, bot)),
      ...(webhooks ?? []).map((webhook) => webhookPlace(parts, webhook)),
      ...(keys ?? []).map((key) => keyPlace(parts, key)),
    ];
  }, [texts, navigate, workspace, toggle, bots, webhooks, keys, isOperator]);
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
