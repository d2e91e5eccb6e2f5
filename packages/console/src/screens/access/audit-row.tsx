import type { AuditEvent, AuditTarget } from '@parley/client';
import { Link } from '@tanstack/react-router';
import { ListFilter } from 'lucide-react';
import type { ReactNode } from 'react';
import { useBots } from '../../data/bots.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { CustomerName } from '../../ui/customer-name.tsx';
import { Time } from '../../ui/time.tsx';
import { knownWord, wordsOf } from '../../ui/words.ts';
import { changedText } from './known-value.ts';

/** An event of the audit log: when, who, what, about which things, and what has changed. */
export function AuditRow({ event }: { event: AuditEvent }) {
  const { audit: t, names } = useTexts();
  const { occurredAt, actor, action, targets, changes, requestId, clientAddress } = event;
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-2">
      <div className="w-52 shrink-0 space-y-1">
        <p>
          <Time at={occurredAt} isExact />
        </p>
        <p className="break-words">
          <span className="font-medium">{actor.name || actor.id}</span>{' '}
          <Only search={{ actor: actor.id }} name={actor.name || actor.id} />
          <span className="block text-xs break-all text-quiet">
            {[t.actorTypes[actor.type], clientAddress].filter(Boolean).join(' · ')}
          </span>
        </p>
      </div>
      <div className="min-w-0 flex-1 basis-64 space-y-1">
        <p className="font-medium">
          {knownWord(names.actions, action)} <code className="font-mono text-xs text-quiet">{action}</code>
        </p>
        <ul>
          {targets.map((target) => (
            <li key={`${target.type} ${target.id}`} className="break-all">
              <span className="text-quiet">{knownWord(names.targets, target.type)}</span>{' '}
              <TargetLink target={target} /> <Only search={{ target: target.id }} name={target.id} />
            </li>
          ))}
        </ul>
        <Changes changes={changes} />
        {requestId !== '' && (
          <p className="text-xs text-quiet">
            {t.requestId} <code className="font-mono break-all select-all">{requestId}</code>
          </p>
        )}
      </div>
    </div>
  );
}

/** Leads to the events with the same actor or target. */
function Only({ search, name }: { search: { actor: string } | { target: string }; name: string }) {
  const { audit: t } = useTexts();
  const { id: workspaceId } = useWorkspace();
  return (
    <Link
      to="/w/$workspaceId/access/audit"
      params={{ workspaceId }}
      search={search}
      aria-label={t.onlyOf(name)}
      title={t.onlyOf(name)}
      className="inline-flex size-6 items-center justify-center rounded align-middle text-quiet hover:bg-raised"
    >
      <ListFilter size={13} aria-hidden="true" />
    </Link>
  );
}

function TargetLink({ target: { type, id } }: { target: AuditTarget }): ReactNode {
  const { id: workspaceId } = useWorkspace();
  const props = { className: 'link underline', children: id };
  switch (type) {
    case 'interaction':
      return (
        <Link
          to="/w/$workspaceId/interactions/$interactionId"
          params={{ workspaceId, interactionId: id }}
          {...props}
        />
      );
    case 'customer':
      return (
        <Link to="/w/$workspaceId/customers/$customerId" params={{ workspaceId, customerId: id }} {...props}>
          <CustomerName id={id} />
        </Link>
      );
    case 'bot':
      return (
        <Link to="/w/$workspaceId/bots/$botId" params={{ workspaceId, botId: id }} {...props}>
          <BotName id={id} />
        </Link>
      );
    case 'webhook':
      return (
        <Link to="/w/$workspaceId/webhooks/$webhookId" params={{ workspaceId, webhookId: id }} {...props} />
      );
    case 'key':
      return <Link to="/w/$workspaceId/access" params={{ workspaceId }} {...props} />;
    case 'member':
      return <Link to="/w/$workspaceId/access/members" params={{ workspaceId }} {...props} />;
    default:
      return <code className="font-mono text-xs">{id}</code>;
  }
}

function BotName({ id }: { id: string }) {
  const { data = [] } = useBots();
  return data.find((bot) => bot.id === id)?.name ?? id;
}

function Changes({ changes }: Pick<AuditEvent, 'changes'>) {
  const { audit: t } = useTexts();
  const fields = Object.entries(changes);
  if (fields.length === 0) return null;
  return (
    <ul aria-label={t.changes}>
      {fields.map(([field, [before, after]]) => (
        <li key={field} className="break-words">
          <span className="sr-only">
            {t.changed(wordsOf(field), changedText(before), changedText(after))}
          </span>
          <span aria-hidden="true">
            <span className="text-quiet" title={field}>
              {wordsOf(field)}
            </span>{' '}
            <span className="rounded bg-bad-soft px-1">{changedText(before)}</span> →{' '}
            <span className="rounded bg-good-soft px-1">{changedText(after)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
