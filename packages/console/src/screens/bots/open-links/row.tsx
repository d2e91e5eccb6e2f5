import type { OpenLink } from '@parley/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ConfirmButton } from '../../../ui/forms/window-button.tsx';
import { CopyButton } from '../../../ui/forms/copy.tsx';
import { ProblemLine } from '../../../ui/problem.tsx';
import { QrButton } from '../../../ui/qr/qr-window.tsx';
import { Time } from '../../../ui/time.tsx';

interface Props {
  link: OpenLink;
  /** Why it cannot be changed. */
  missing: string | undefined;
}

export function OpenLinkRow({ link, missing }: Props) {
  const { links: t, common } = useTexts();
  const { id: workspaceId, client } = useWorkspace();
  const cache = useQueryClient();
  const { id, botId, isClosed, name, url } = link;
  const refresh = () => cache.invalidateQueries({ queryKey: [workspaceId, 'open-links', botId] });
  const changed = useMutation({
    mutationFn: () => client.bots.openLinks.update(botId, id, { isClosed: !isClosed }),
    onSuccess: refresh,
  });
  const remove = async (): Promise<void> => {
    await client.bots.openLinks.delete(botId, id);
    await refresh();
  };
  return (
    <article aria-label={name} className="card flex flex-wrap items-center gap-x-4 gap-y-2 p-4">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium break-words">{name}</span>
          {isClosed && <Badge tone="bad">{t.closed}</Badge>}
          {link.isTest && <Badge tone="accent">{t.isTest}</Badge>}
        </p>
        <p className="flex items-center gap-1">
          <code className="truncate font-mono text-xs">{url}</code>
          <CopyButton text={url} label={t.copyUrl} />
        </p>
        <LinkFacts link={link} />
      </div>
      {changed.error && <ProblemLine error={changed.error} />}
      <QrButton title={name} url={url} load={(format) => client.bots.openLinks.qr(botId, id, { format })} />
      <Button reason={missing} disabled={changed.isPending} onClick={() => changed.mutate()}>
        {isClosed ? t.reopen : t.close}
      </Button>
      <ConfirmButton
        kind="danger"
        reason={missing}
        confirm={{ title: t.deleteTitle(name), about: t.deleteAbout, action: common.delete, run: remove }}
      >
        {common.delete}
      </ConfirmButton>
    </article>
  );
}

function LinkFacts({ link: { responses, responsesMax, expiresAt, contextKeys } }: { link: OpenLink }) {
  const { links: t } = useTexts();
  return (
    <p className="text-xs text-quiet">
      {responsesMax === null ? t.responses(responses) : t.responsesOf(responses, responsesMax)}
      {expiresAt !== null && (
        <>
          {` · ${t.expires} `}
          <Time at={expiresAt} />
        </>
      )}
      {contextKeys.length > 0 && ` · ${t.context(contextKeys.join(', '))}`}
    </p>
  );
}
