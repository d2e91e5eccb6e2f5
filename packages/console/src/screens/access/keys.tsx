import { instant, type ApiKey } from '@parley/client';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNameOf } from '../../data/people.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Empty, Section, SkeletonLines } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { AccessHead } from './head.tsx';
import { useOpening } from '../../ui/forms/opening.ts';
import { CreateKey } from './create-key.tsx';

export function KeyList() {
  const { access: t, common } = useTexts();
  const { id, client, can } = useWorkspace();
  const [isCreating, setCreating] = useOpening('key');
  const list = useInfiniteQuery({
    queryKey: [id, 'keys'],
    queryFn: ({ signal, pageParam }) => client.keys.list({ cursor: pageParam, limit: 50 }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
    enabled: can('keys:read'),
  });
  const keys = list.data?.pages.flatMap(({ data }) => data);
  const missing = can('keys:write') ? undefined : common.missingScope('keys:write');
  return (
    <>
      <AccessHead>
        <Button kind="primary" reason={missing} onClick={() => setCreating(true)}>
          {t.create}
        </Button>
      </AccessHead>
      {!can('keys:read') && <Empty title={common.missingScope('keys:read')} />}
      {list.error && <Problem error={list.error} retry={() => void list.refetch()} />}
      {list.isLoading && <SkeletonLines label={common.loading} />}
      {keys?.length === 0 && <Empty title={t.none}>{t.noneHow}</Empty>}
      {keys && keys.length > 0 && (
        <Section title={t.keys}>
          <ul>
            {keys.map((key) => (
              <li key={key.apiKey} className="border-b border-line p-4 last:border-0">
                <KeyRow apiKey={key} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {list.hasNextPage && <Button onClick={() => void list.fetchNextPage()}>{common.more}</Button>}
      {isCreating && <CreateKey close={() => setCreating(false)} />}
    </>
  );
}

function KeyState({ apiKey: { revokedAt, expiresAt } }: { apiKey: ApiKey }) {
  const { access: t } = useTexts();
  if (revokedAt !== null) return <Badge tone="bad">{t.revoked}</Badge>;
  if (expiresAt !== null && instant(expiresAt).getTime() <= Date.now()) {
    return <Badge tone="quiet">{t.expired}</Badge>;
  }
  return <Badge tone="good">{t.active}</Badge>;
}

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { access: t, common, names } = useTexts();
  const { id, client, can } = useWorkspace();
  const cache = useQueryClient();
  const nameOf = useNameOf();
  const [asks, setAsks] = useState(false);
  const missing = can('keys:write') ? undefined : common.missingScope('keys:write');
  const revoke = async (): Promise<void> => {
    await client.keys.revoke(apiKey.apiKey);
    await cache.invalidateQueries({ queryKey: [id, 'keys'] });
  };
  const { name, scopes, createdAt, createdBy, expiresAt, lastUsedAt, revokedAt } = apiKey;
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
      <div className="min-w-0 flex-1 basis-64 space-y-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{name || t.unnamed}</span>
          <KeyState apiKey={apiKey} />
        </p>
        <p className="font-mono text-xs break-all text-quiet">{apiKey.apiKey}</p>
        <p className="text-xs text-quiet" title={scopes.join(', ')}>
          {scopes.map((scope) => names.scopes[scope]).join(' · ')}
        </p>
      </div>
      <dl className="grid grid-cols-[auto_1fr] wrap-anywhere gap-x-4 text-xs">
        <dt className="text-quiet">{t.lastUsed}</dt>
        <dd>{lastUsedAt === null ? common.never : <Time at={lastUsedAt} />}</dd>
        <dt className="text-quiet">{t.createdAt}</dt>
        <dd>
          <Time at={createdAt} /> · <span className="break-all">{nameOf(createdBy)}</span>
        </dd>
        <dt className="text-quiet">{t.expiresAt}</dt>
        <dd>{expiresAt === null ? common.never : <Time at={expiresAt} />}</dd>
      </dl>
      {revokedAt === null && (
        <Button isSmall kind="danger" reason={missing} onClick={() => setAsks(true)}>
          {t.revoke}
        </Button>
      )}
      <Confirm
        title={t.revokeTitle(name || apiKey.apiKey)}
        about={t.revokeAbout}
        typed={name || undefined}
        action={t.revoke}
        isOpen={asks}
        close={() => setAsks(false)}
        run={revoke}
      />
    </div>
  );
}
