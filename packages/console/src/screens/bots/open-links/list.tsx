import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Empty, SkeletonLines } from '../../../ui/states.tsx';
import { BotHead } from '../head.tsx';
import { CreateOpenLink } from './create.tsx';
import { OpenLinkRow } from './row.tsx';

const route = getRouteApi('/w/$workspaceId/bots/$botId/links');

/** The open links of a bot. */
export function OpenLinks() {
  const { botId } = route.useParams();
  const { links: t, common } = useTexts();
  const { id, client, can } = useWorkspace();
  const [isCreating, setCreating] = useState(false);
  const list = useInfiniteQuery({
    queryKey: [id, 'open-links', botId],
    queryFn: ({ signal, pageParam }) =>
      client.bots.openLinks.list(botId, { limit: 50, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
  });
  const links = list.data?.pages.flatMap(({ data }) => data);
  const missing = can('bots:write') ? undefined : common.missingScope('bots:write');
  return (
    <>
      <BotHead botId={botId}>
        <Button kind="primary" reason={missing} onClick={() => setCreating(true)}>
          {t.create}
        </Button>
      </BotHead>
      {list.error && <Problem error={list.error} retry={() => void list.refetch()} />}
      {list.isLoading && <SkeletonLines label={common.loading} />}
      {links?.length === 0 && <Empty title={t.none}>{t.noneHow}</Empty>}
      <ul className="grid gap-3">
        {links?.map((link) => (
          <li key={link.id} className="min-w-0">
            <OpenLinkRow link={link} missing={missing} />
          </li>
        ))}
      </ul>
      {list.hasNextPage && <Button onClick={() => void list.fetchNextPage()}>{common.more}</Button>}
      {isCreating && <CreateOpenLink botId={botId} close={() => setCreating(false)} />}
    </>
  );
}
