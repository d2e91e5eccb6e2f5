import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { botsQuery } from '../../data/bots.ts';
import { webhooksQuery } from '../../data/deliveries.ts';
import { useLive } from '../../data/live.tsx';
import { useWorkspace, type Workspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
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
    const { navigation, search, common, operator, access, audit, customers, invitations } = texts;
    const params = { workspaceId: workspace.id };
    const screen = (id: string, name: string, open: () => void): Place => ({
      id,
      group: 'screens',
      name,
      open,
    });
    const action = (
      name: string,
      opens: string,
      to: (typeof screens)[number]['to'] | '/w/$workspaceId/access/members',
    ) => ({
      id: `new ${opens}`,
      group: 'actions' as const,
      name,
      open: () => void navigate({ to, params, state: { opens } }),
    });
    return [
      ...screens.map(({ id, to }) => screen(id, navigation[id], () => void navigate({ to, params }))),
      screen(
        'members',
        access.members,
        () => void navigate({ to: '/w/$workspaceId/access/members', params }),
      ),
      screen('audit', audit.title, () => void navigate({ to: '/w/$workspaceId/access/audit', params })),
      screen(
        'receipts',
        customers.allReceipts,
        () => void navigate({ to: '/w/$workspaceId/receipts', params }),
      ),
      screen(
        'import',
        invitations.title,
        () => void navigate({ to: '/w/$workspaceId/interactions/import', params }),
      ),
      ...(isOperator ? [screen('operator', operator.open, () => void navigate({ to: '/operator' }))] : []),
      ...(can('bots:write') ? [action(texts.bots.create, 'bot', '/w/$workspaceId/bots')] : []),
      ...(can('interactions:write')
        ? [action(texts.interactions.create, 'interaction', '/w/$workspaceId/interactions')]
        : []),
      ...(can('webhooks:write')
        ? [action(texts.webhooks.create, 'webhook', '/w/$workspaceId/webhooks')]
        : []),
      ...(can('keys:write') ? [action(access.create, 'key', '/w/$workspaceId/access')] : []),
      ...(can('workspace:write')
        ? [action(search.invite, 'invitation', '/w/$workspaceId/access/members')]
        : []),
      { id: 'pause', group: 'actions' as const, name: common.pauseUpdates, open: toggle },
      ...(bots ?? []).flatMap((bot): Place[] => {
        const botParams = { ...params, botId: bot.id };
        return [
          {
            group: 'bots',
            id: `bot ${bot.id}`,
            name: bot.name,
            open: () => void navigate({ to: '/w/$workspaceId/bots/$botId', params: botParams }),
          },
          {
            group: 'bots',
            id: `edit ${bot.id}`,
            name: search.edit(bot.name),
            open: () => void navigate({ to: '/w/$workspaceId/bots/$botId/edit', params: botParams }),
          },
        ];
      }),
      ...(webhooks ?? []).map(
        ({ id, url }): Place => ({
          id: `webhook ${id}`,
          group: 'webhooks',
          name: url,
          open: () =>
            void navigate({
              to: '/w/$workspaceId/webhooks/$webhookId',
              params: { ...params, webhookId: id },
            }),
        }),
      ),
      ...(keys ?? []).map(
        ({ apiKey, name }): Place => ({
          id: `key ${apiKey}`,
          group: 'keys',
          name: name === '' ? apiKey : name,
          about: apiKey,
          open: () => void navigate({ to: '/w/$workspaceId/access', params }),
        }),
      ),
    ];
  }, [texts, navigate, workspace, toggle, can, bots, webhooks, keys, isOperator]);
}
