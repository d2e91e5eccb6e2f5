import type { DifferenceGroup, Replays } from '@parley/client';
import { wayOf } from '@parley/report/difference';
import type { UseMutationResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../../../../data/workspace.tsx';
import { useTexts } from '../../../../texts/texts.tsx';
import { Badge } from '../../../../ui/badge.tsx';
import { Button } from '../../../../ui/forms/button.tsx';
import { Problem } from '../../../../ui/problem.tsx';
import { Section, SkeletonLines } from '../../../../ui/states.tsx';
import { Time } from '../../../../ui/time.tsx';
import { hasMoreGroups, missingForProof } from './proof-state.ts';

interface Props {
  proof: Pick<UseMutationResult<Replays>, 'data' | 'error' | 'isPending'>;
  isOfText: boolean;
  /** Why there can be none now. */
  fault: string | undefined;
  prove(): void;
}

/** Which finished conversations would go differently with the text in the editor. */
export function Proof({ proof: { data, error, isPending }, isOfText, fault, prove }: Props) {
  const { editor: t, common } = useTexts();
  const { can } = useWorkspace();
  const scope = missingForProof(can);
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
      {/* As high as while it is loaded: what is below must not jump. */}
      <div aria-live="polite" className="min-h-27">
        {isPending && <SkeletonLines count={3} label={t.proving} />}
        {!isPending && error && <Problem error={error} retry={prove} />}
        {!isPending && data?.replayed === 0 && isOfText && <p className="p-4 text-quiet">{t.noneFinished}</p>}
        {!isPending && data && (data.replayed > 0 || !isOfText) && (
          <>
            <p className="flex flex-wrap items-center gap-2 p-4">
              <Badge tone={data.differing > 0 ? 'warn' : 'good'}>{t.differing(data.differing)}</Badge>
              <span>{t.replayed(data.replayed)}</span>
              {data.incomplete > 0 && <span className="text-quiet">{t.incomplete(data.incomplete)}</span>}
              {!isOfText && <Badge tone="warn">{t.outdated}</Badge>}
            </p>
            <Groups replays={data} />
          </>
        )}
        {!isPending && !error && !data && (
          <p className="p-4 text-quiet">{scope === undefined ? t.proofAbout : t.proofLeftOut(scope)}</p>
        )}
      </div>
    </Section>
  );
}

function Groups({ replays }: { replays: Replays }) {
  const { groups } = replays;
  const { editor: t } = useTexts();
  if (groups.length === 0) return null;
  return (
    <>
      <ol
        aria-label={t.differences}
        tabIndex={0}
        className="max-h-[32rem] overflow-y-auto border-t border-line"
      >
        {groups.map((group) => (
          <li key={group.newest.interactionId} className="border-b border-line p-4 last:border-0">
            <GroupRow group={group} />
          </li>
        ))}
      </ol>
      {hasMoreGroups(replays) && <p className="p-4 text-quiet">{t.onlyFirst(groups.length)}</p>}
    </>
  );
}

/** Conversations that go differently in the same way, by the example of the newest one. */
function GroupRow({ group: { count, newest, texts, evaluation } }: { group: DifferenceGroup }) {
  const { editor: t, bots } = useTexts();
  const { id: workspaceId } = useWorkspace();
  const wayText = useWay();
  const { interactionId, botVersion, completedAt, ...what } = newest;
  const [before, after] = [wayText(newest.before), wayText(newest.after)];
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{t.cases(count)}</span>
        {what.takesAnotherWay && <Badge tone="warn">{t.anotherWay}</Badge>}
        {what.endsDifferently && <Badge tone="bad">{t.anotherEnd}</Badge>}
        {what.hearsAnotherText && <Badge tone="accent">{t.anotherText}</Badge>}
        {what.evaluationKeys.map((key) => (
          <Badge key={key} tone="accent">
            {t.evaluation(key)}
          </Badge>
        ))}
        <span className="text-quiet">
          {t.newest}{' '}
          <Link
            to="/w/$workspaceId/interactions/$interactionId"
            params={{ workspaceId, interactionId }}
            target="_blank"
            title={t.conversation(interactionId)}
            className="link"
          >
            <Time at={completedAt} />
          </Link>
          {' · '}
          {bots.versionNumber(botVersion)}
        </span>
      </p>
      <div className="mt-2 space-y-2">
        {before !== after && <Pair title={t.way} before={before} after={after} />}
        {texts.map((text, index) => (
          <Pair
            key={index}
            title={text.stepId === null ? t.textAtEnd : t.textAt(text.stepId)}
            before={text.before}
            after={text.after}
          />
        ))}
        {evaluation.map((value) => (
          <Pair
            key={value.key}
            title={value.key}
            before={value.before ?? t.noValue}
            after={value.after ?? t.noValue}
          />
        ))}
      </div>
    </>
  );
}

/** Returns a function that names the steps of a way, and its end. */
function useWay(): (course: DifferenceGroup['newest']['before']) => string {
  const { editor: t } = useTexts();
  return (course) => wayOf(course, t).join(' → ');
}

interface PairProps {
  title: string;
  before: string;
  after: string;
}

function Pair({ title, before, after }: PairProps) {
  const { bots: t } = useTexts();
  const side = (label: string, sign: string, text: string, look: string) => (
    <div className={`rounded px-2 py-1 font-mono text-xs wrap-anywhere whitespace-pre-wrap ${look}`}>
      <dt className="sr-only">{label}</dt>
      <dd>
        <span aria-hidden="true">{sign} </span>
        {text}
      </dd>
    </div>
  );
  return (
    <div>
      <p className="mb-0.5 text-xs text-quiet">{title}</p>
      <dl className="grid gap-1 md:grid-cols-2">
        {side(t.before, '−', before, 'bg-bad-soft')}
        {side(t.after, '+', after, 'bg-good-soft')}
      </dl>
    </div>
  );
}
