import type { Schema } from '@parley/bot/editing/forms';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { base } from '../environment.ts';
import { onlyEnds } from '../screens/bots/edit/definition.ts';
import { readServerDraft } from '../screens/bots/edit/draft/server-draft.ts';
import { useWorkspace, type Workspace } from './workspace.tsx';

export interface Definition {
  key: string;
  name: string;
  evaluation?: Record<string, { pii?: boolean }>;
  steps: Step[];
}

export interface Step {
  id: string;
  kind: string;
  text?: string;
  prompt?: string;
  [field: string]: unknown;
}

export const botsQuery = ({ id, client }: Workspace) =>
  queryOptions({
    queryKey: [id, 'bots'],
    queryFn: async ({ signal }) => (await client.bots.list({}, { signal })).data,
    staleTime: 60_000,
  });

export const botQuery = ({ id, client }: Workspace, botId: string) =>
  queryOptions({
    queryKey: [id, 'bot', botId, 'name'],
    queryFn: ({ signal }) => client.bots.get(botId, { signal }),
  });

/** Newest first. */
export const versionsQuery = ({ id, client }: Workspace, botId: string) =>
  queryOptions({
    queryKey: [id, 'bot', botId, 'versions'],
    queryFn: async ({ signal }) => (await client.bots.listVersions(botId, { signal })).data,
  });

/** It never changes. */
export const versionQuery = ({ id, client }: Workspace, botId: string, version: number) =>
  queryOptions({
    queryKey: [id, 'bot', botId, 'version', version],
    queryFn: ({ signal }) => client.bots.getVersion(botId, version, { signal }),
    staleTime: Infinity,
  });

/** Whether no conversation can begin with the bot of a draft, because nothing of it was published yet. */
export function useUnpublished(draft: { botId: string; baseVersion: number } | undefined): boolean {
  const { id, client } = useWorkspace();
  const { botId = '', baseVersion } = draft ?? {};
  const isFirst = baseVersion === 1;
  const { data } = useQuery({
    queryKey: [id, 'bot', botId, 'first version'],
    queryFn: ({ signal }) => client.bots.getVersion(botId, 1, { signal }),
    enabled: isFirst,
  });
  return isFirst && data?.isLive === true && onlyEnds(data.definition);
}

/** The JSON Schema of definitions, which the gateway serves as a file. */
export const schemaQuery = queryOptions({
  queryKey: ['schema of bots'],
  queryFn: async ({ signal }): Promise<Schema> => {
    const response = await fetch(`${base}/schemas/bot-v1.json`, { signal });
    if (!response.ok) throw new Error(`the schema of bots is not served: HTTP ${response.status}`);
    return (await response.json()) as Schema;
  },
  staleTime: Infinity,
});

/** The templates with names in the language of the reader. They change with a release. */
export const templatesQuery = ({ id, client }: Workspace, locale: 'en' | 'de') =>
  queryOptions({
    queryKey: [id, 'templates of bots', locale],
    queryFn: async ({ signal }) => (await client.bots.listTemplates({ locale }, { signal })).data,
    staleTime: Infinity,
  });

/** Which bots have a draft. */
export const draftsQuery = ({ id, client }: Workspace) =>
  queryOptions({
    queryKey: [id, 'bots', 'drafts'],
    queryFn: async ({ signal }) => (await client.bots.listDrafts({ signal })).data,
  });

/** The draft with which an editor begins; null without one. The list is asked first: a missing draft is no failure. */
export const draftQuery = (workspace: Workspace, botId: string) =>
  queryOptions({
    queryKey: [workspace.id, 'bot', botId, 'draft'],
    queryFn: async ({ client: cache }) => {
      const listed = draftsQuery(workspace);
      // A list that is on its way may be from before a draft was discarded.
      await cache.cancelQueries({ queryKey: listed.queryKey, exact: true });
      const drafts = await cache.fetchQuery({ ...listed, staleTime: 0 });
      const hasDraft = drafts.some((entry) => entry.botId === botId);
      return hasDraft ? readServerDraft(workspace.client, botId) : null;
    },
    // An editor that opens needs the draft of now, and keeps it.
    staleTime: Infinity,
    gcTime: 0,
  });

export function useBots() {
  const workspace = useWorkspace();
  return useQuery({ ...botsQuery(workspace), enabled: workspace.can('bots:read') });
}

/** The definition of a version, or of the live one. Undefined while it is loaded, without the right, or a bot. */
export function useDefinition(botId: string | undefined, version?: string): Definition | undefined {
  const workspace = useWorkspace();
  const mayRead = botId !== undefined && workspace.can('bots:read');
  const { data: versions } = useQuery({
    ...versionsQuery(workspace, botId ?? ''),
    enabled: mayRead && version === undefined,
    staleTime: 60_000,
  });
  const shown = version === undefined ? versions?.find(({ isLive }) => isLive)?.version : Number(version);
  const { data } = useQuery({
    ...versionQuery(workspace, botId ?? '', shown ?? 0),
    enabled: mayRead && shown !== undefined,
  });
  return data?.definition as Definition | undefined;
}
