import type { ConversationDifference, Replays } from '@parley/client';
import type { UseMutationResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Section, SkeletonLines } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';

interface Props {
  proof: Pick<UseMutationResult<Replays>, 'data' | 'error' | 'isPending'>;
  /** Whether the proof is about the text in the editor. */
  isOfText: boolean;
  /** Why there can be none now. */
  fault: string | undefined;
  prove(): void;
}

/** Which finished conversations would go differently with the text in the editor. */
export function Proof({ proof: { data, error, isPending }, isOfText, fault, prove }: Props) {
  const { editor: t, common } = useTexts();
  const { can } = useWorkspace();
  const scope = (['interactions:read', 'personal-data:read'] as const).find((one) => !can(one));
  const missing = scope && common.missingScope(scope);
  return (
    <Section
      title={t.proof}
      aside={
        <Button reason={missing ?? fault} disabled={isPending} onClick={prove}>
          {isPending ? common.working : t.prove}
        </Button>
      }
    >
      <div aria-live="polite">
        {isPending && <SkeletonLines count={3} label={t.proving} />}
        {!isPending && error && <Problem error={error} retry={prove} />}
        {!isPending && data && (
          <>
            <p className="flex flex-wrap items-center gap-2 p-4">
              <Badge tone={data.differing > 0 ? 'warn' : 'good'}>{t.differing(data.differing)}</Badge>
              <span>{t.replayed(data.replayed)}</span>
              {data.incomplete > 0 && <span className="text-quiet">{t.incomplete(data.incomplete)}</span>}
              {!isOfText && <Badge tone="warn">{t.outdated}</Badge>}
            </p>
            <Differences replays={data} />
          </>
        )}
        {!isPending && !error && !data && <p className="p-4 text-quiet">{t.proofAbout}</p>}
      </div>
    </Section>
  );
}

function Differences({ replays: { differing, differences } }: { replays: Replays }) {
  const { editor: t } = useTexts();
  if (differences.length === 0) return null;
  return (
    <>
      <ol
        aria-label={t.differences}
        tabIndex={0}
        className="max-h-[32rem] overflow-y-auto border-t border-line"
      >
        {differences.map((difference) => (
          <li key={difference.interactionId} className="border-b border-line p-4 last:border-0">
            <DifferenceRow difference={difference} />
          </li>
        ))}
      </ol>
      {differing > differences.length && <p className="p-4 text-quiet">{t.onlyFirst(differences.length)}</p>}
    </>
  );
}

function DifferenceRow({ difference }: { difference: ConversationDifference }) {
  const { editor: t, bots } = useTexts();
  const { id: workspaceId } = useWorkspace();
  const { interactionId, botVersion, completedAt, before, after, ...what } = difference;
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <Link
          to="/w/$workspaceId/interactions/$interactionId"
          params={{ workspaceId, interactionId }}
          target="_blank"
          title={t.conversation(interactionId)}
          className="link"
        >
          <Time at={completedAt} />
        </Link>
        <span className="text-quiet">{bots.versionNumber(botVersion)}</span>
        {what.takesAnotherWay && <Badge tone="warn">{t.anotherWay}</Badge>}
        {what.endsDifferently && <Badge tone="bad">{t.anotherEnd}</Badge>}
        {what.evaluationKeys.map((key) => (
          <Badge key={key} tone="accent">
            {t.evaluation(key)}
          </Badge>
        ))}
      </p>
      <dl className="mt-2 grid gap-1 md:grid-cols-2">
        <Way label={bots.before} sign="−" course={before} className="bg-bad-soft" />
        <Way label={bots.after} sign="+" course={after} className="bg-good-soft" />
      </dl>
    </>
  );
}

interface WayProps {
  label: string;
  sign: string;
  course: ConversationDifference['before'];
  className: string;
}

function Way({ label, sign, course: { stepIds, endStepId, stopped }, className }: WayProps) {
  const { editor: t } = useTexts();
  const end = stopped ? t.stopped[stopped.reason] : (endStepId ?? t.closed);
  return (
    <div className={`rounded px-2 py-1 font-mono text-xs break-words ${className}`}>
      <dt className="sr-only">{label}</dt>
      <dd>
        <span aria-hidden="true">{sign} </span>
        {[...stepIds, end].join(' → ')}
      </dd>
    </div>
  );
}
