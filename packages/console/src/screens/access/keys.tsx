import { instant, type ApiKey } from '@parley/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNameOf } from '../../data/people.ts';
import { useCursorList } from '../../data/rows.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmButton } from '../../ui/forms/window-button.tsx';
import { More, QueryState } from '../../ui/loading.tsx';
import { Empty, Section } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { AccessHead } from './head.tsx';
import { useOpening } from '../../ui/forms/opening.ts';
import { CreateKey } from './create-key.tsx';
import { useMissingScope } from '../../ui/read-only.tsx';

export function KeyList() {
  const { access: t, common } = useTexts();
  const { id, client, can } = useWorkspace();
  const [isCreating, setCreating] = useOpening('key');
  const { list, rows: keys } = useCursorList(
    [id, 'keys'],
    (cursor, signal) => client.keys.list({ cursor, limit: 50 }, { signal }),
    { enabled: can('keys:read') },
  );
  const missing = useMissingScope('keys:write');
  return (
    <>
      <AccessHead>
        <Button kind="primary" reason={missing} onClick={() => setCreating(true)}>
          {t.create}
        </Button>
      </AccessHead>
      {can('keys:read') ? <QueryState query={list} /> : <Empty title={common.missingScope('keys:read')} />}
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
      <More list={list} />
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
  const { id, client } = useWorkspace();
  const cache = useQueryClient();
  const nameOf = useNameOf();
  const missing = useMissingScope('keys:write');
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
        <ConfirmButton
          isSmall
          kind="danger"
          reason={missing}
          confirm={{
            title: t.revokeTitle(name || apiKey.apiKey),
            about: t.revokeAbout,
            typed: name || undefined,
            action: t.revoke,
            run: revoke,
          }}
        >
          {t.revoke}
        </ConfirmButton>
      )}
    </div>
  );
}
