import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useCursorList } from '../../../data/rows.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { More, QueryState } from '../../../ui/loading.tsx';
import { Empty } from '../../../ui/states.tsx';
import { BotHead } from '../head.tsx';
import { CreateOpenLink } from './create.tsx';
import { OpenLinkRow } from './row.tsx';
import { useMissingScope } from '../../../ui/read-only.tsx';

const route = getRouteApi('/w/$workspaceId/bots/$botId/links');

/** The open links of a bot. */
export function OpenLinks() {
  const { botId } = route.useParams();
  const { links: t } = useTexts();
  const { id, client } = useWorkspace();
  const [isCreating, setCreating] = useState(false);
  const { list, rows: links } = useCursorList([id, 'open-links', botId], (cursor, signal) =>
    client.bots.openLinks.list(botId, { limit: 50, cursor }, { signal }),
  );
  const missing = useMissingScope('bots:write');
  return (
    <>
      <BotHead botId={botId}>
        <Button kind="primary" reason={missing} onClick={() => setCreating(true)}>
          {t.create}
        </Button>
      </BotHead>
      <QueryState query={list} />
      {links?.length === 0 && <Empty title={t.none}>{t.noneHow}</Empty>}
      <ul className="grid gap-3">
        {links?.map((link) => (
          <li key={link.id} className="min-w-0">
            <OpenLinkRow link={link} missing={missing} />
          </li>
        ))}
      </ul>
      <More list={list} />
      {isCreating && <CreateOpenLink botId={botId} close={() => setCreating(false)} />}
    </>
  );
}
