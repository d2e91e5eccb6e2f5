import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { Time } from '../../../ui/time.tsx';
import type { InsightSearch } from './insight-query.ts';
import { newestQuery, quotesOf } from './newest-answers.ts';
import { QueryState } from '../../../ui/loading.tsx';

interface Props {
  botId: string;
  search: InsightSearch;
  /** Of the evaluation. */
  name: string;
}

/** The newest answers in words of the customers, each with its conversation. */
export function Quotes({ botId, search, name }: Props) {
  const { bots: t, common } = useTexts();
  const workspace = useWorkspace();
  const { data, error, refetch } = useQuery({
    ...newestQuery(workspace, botId, search),
    enabled: workspace.can('interactions:read'),
  });
  if (!workspace.can('interactions:read'))
    return <p className="mt-2 text-quiet">{common.missingScope('interactions:read')}</p>;
  if (error || !data) return <QueryState query={{ data, error, refetch }} count={2} />;
  const { quotes, isHidden } = quotesOf(
    data,
    name,
    search.version === undefined ? undefined : Number(search.version),
  );
  if (isHidden) return <p className="mt-2 text-quiet">{common.hiddenWhy}</p>;
  if (quotes.length === 0) return null;
  return (
    <>
      <h3 className="mt-3 text-xs text-quiet">{t.newestAnswers}</h3>
      <ul className="mt-1 space-y-2">
        {quotes.map(({ interactionId, text, at }) => (
          <li key={interactionId} className="border-s-2 border-strong-line ps-3">
            <blockquote className="line-clamp-4 wrap-anywhere whitespace-pre-line print:line-clamp-none">
              {text}
            </blockquote>
            <Link
              to="/w/$workspaceId/interactions/$interactionId"
              params={{ workspaceId: workspace.id, interactionId }}
              className="link text-xs"
            >
              {t.toConversation} · <Time at={at} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
