import { ParleyError } from '@parley/client';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { classes } from '../../../ui/classes.ts';
import { part } from '../../../ui/part.tsx';
import { type Mark, refusalMarks } from './check.ts';
import type { Beginning } from './draft/begin.ts';
import { Notices } from './draft/notices.tsx';
import type { Saving } from './draft/saving.ts';
import { type Compared, Editing, useStep } from './editing.tsx';
import { Preview } from './preview.tsx';
import { missingForProof } from './publishing/proof-state.ts';
import { type Look, useTrying } from './trying/use-trying.ts';
import { useChecked } from './use-checked.ts';
import { useText } from './use-text.ts';

const PublishDialog = part(() => import('./publishing/publish-dialog.tsx'), 'PublishDialog');
const Proof = part(() => import('./publishing/proof.tsx'), 'Proof');
const Publish = part(() => import('./publishing/publish.tsx'), 'Publish');

const route = getRouteApi('/w/$workspaceId/bots/$botId/edit');

/** How many finished conversations are the proof. */
const conversations = 500;

const narrow = 'xl:grid-cols-[minmax(0,1fr)_25rem]';
const columns: Record<Look, string> = { phone: narrow, email: narrow, page: 'xl:grid-cols-2' };

interface Props {
  botId: string;
  opened: number;
  text: string;
  beginning: Beginning;
  /** The version to which the text is compared, and after which it is published. */
  base: number;
  /** The text of `base`. Undefined while it is loaded. */
  original: string | undefined;
  /** The key of the bot. Undefined while it is loaded. */
  botKey: string | undefined;
  live: number;
  setBase(version: number): void;
  setOpened(version: number): void;
  /** Forgets the text of this browser, and opens what the service has. */
  reopen(): Promise<void>;
  /** Keeps the editor open when the address names no version any more. */
  stay(): void;
}

/** The editor with what is wrong, the proof, and publishing. */
export function Workbench(props: Props) {
  const { botId, opened, beginning, base, botKey, live, reopen } = props;
  const { editor: t } = useTexts();
  const { hasPreview, trying, tryFrom } = useTryFrom();
  const { text, document, original, isChanged, saver, saving, rebase, onPublished } = useText(props);
  const { compares, setCompares, showSource } = useCompared(saving.kind === 'conflict');
  const { definition, marks: own, text: checked } = useChecked(text, botKey);
  const isCurrent = text === checked;
  const body = isCurrent ? definition : undefined;
  const proof = useProof(botId);
  const { marks, setRefused } = useMarks(text, own, proof);
  const { step, isPublishing, begin, review, close, openStep } = usePublishing(() => rebase(live));
  const stop = useStop(body !== undefined, saving, isChanged);
  const isProven = useProven(text, proof);
  useFirstProof(proof, isPublishing && stop === undefined ? { text, definition: body } : undefined);
  return (
    <div className="space-y-4">
      <Notices
        {...{ botId, beginning, isChanged, saver, saving, reopen, text, base, original, review, showSource }}
        live={isPublishing ? base : live}
      />
      <div className={classes('grid gap-4', hasPreview && columns[trying.look])}>
        <Editing
          {...{ botId, opened, base, original, document, text, marks, isChanged, saving, tryFrom, step }}
          {...{ compares, setCompares }}
          settled={checked}
          discard={async () => {
            await saver?.discard();
            await reopen();
          }}
          toEnd={begin}
        />
        {hasPreview && <Preview {...{ botId, definition, trying }} isSettled={isCurrent} />}
      </div>
      {isPublishing && (
        <Suspense>
          <PublishDialog {...{ original, base, text, marks, close, openStep }} definition={body}>
            <Proof
              proof={proof}
              isOfText={proof.variables?.text === text}
              fault={stop}
              prove={() => body && proof.mutate({ text, definition: body })}
            />
            <Publish
              {...{ botId, base, live, text, saver }}
              reason={stop ?? (isProven ? undefined : t.proofFirst)}
              setBase={rebase}
              onPublished={(version, sent) => {
                close();
                onPublished(version, sent);
              }}
              onRefused={(error, sent) => setRefused({ text: sent, error })}
            />
          </PublishDialog>
        </Suspense>
      )}
    </div>
  );
}

/** Returns whether and how the definition is tried, and a function that tries it from a step. */
function useTryFrom() {
  const navigate = route.useNavigate();
  const hasPreview = route.useSearch().preview !== 'no';
  const trying = useTrying();
  const tryFrom = (stepId: string): void => {
    trying.begin({ stepId, isShown: true });
    void navigate({
      search: (before) => ({ ...before, preview: undefined }),
      replace: true,
      resetScroll: false,
    });
  };
  return { hasPreview, trying, tryFrom };
}

/** Returns to which text the source is compared, and a function that shows it beside the text of a conflict. */
function useCompared(isConflict: boolean) {
  const navigate = route.useNavigate();
  const [compares, setCompares] = useState<Compared>();
  useEffect(() => {
    if (!isConflict) setCompares((before) => (before === 'theirs' ? undefined : before));
  }, [isConflict]);
  const showSource = (): void => {
    setCompares('theirs');
    void navigate({
      search: (before) => ({ ...before, view: 'source' }),
      replace: true,
      resetScroll: false,
    });
  };
  return { compares, setCompares, showSource };
}

/**
 * Returns whether the window of publishing is open. `review` opens it, with what changes after the live version.
 * `openStep` leaves it for a step, which the editor then shows.
 */
function usePublishing(toLive: () => void) {
  const step = useStep();
  const [isPublishing, setPublishing] = useState(false);
  const begin = (): void => setPublishing(true);
  const close = (): void => setPublishing(false);
  const openStep = (index: number): void => {
    close();
    step.show(index);
  };
  const review = (): void => {
    toLive();
    begin();
  };
  return { step, isPublishing, begin, review, close, openStep };
}

/** Returns why a text cannot be proved now. */
function useStop(isValid: boolean, saving: Saving, isChanged: boolean): string | undefined {
  const { editor: t } = useTexts();
  if (!isValid) return t.hasFaults;
  if (saving.kind === 'conflict' || saving.kind === 'gone') return t.decideFirst;
  return isChanged ? undefined : t.unchanged;
}

interface Refusal {
  text: string;
  error: Error;
}

/** Returns the marks of a text, with the faults for which the service has refused it. */
function useMarks(text: string, own: Mark[], { variables, error }: ReturnType<typeof useProof>) {
  const [refused, setRefused] = useState<Refusal>();
  const refusals = [refused, error && { text: variables?.text, error }];
  const refusal = refusals.find((one) => one?.text === text && one.error instanceof ParleyError)?.error;
  const marks = useMemo(
    () => (refusal instanceof ParleyError ? [...own, ...refusalMarks(text, refusal.errors)] : own),
    [own, refusal, text],
  );
  return { marks, setRefused };
}

/** Proves a text that is about to be published, once, if the person may. */
function useFirstProof(
  { mutate, variables }: ReturnType<typeof useProof>,
  { text, definition }: { text?: string; definition?: Record<string, unknown> | undefined } = {},
): void {
  const { can } = useWorkspace();
  const isWanted = missingForProof(can) === undefined && variables?.text !== text;
  useEffect(() => {
    if (isWanted && text !== undefined && definition) mutate({ text, definition });
  }, [isWanted, text, definition, mutate]);
}

/** Returns whether the proof of a text is done, or left out because the person may not see it. */
function useProven(text: string, { variables, isPending }: ReturnType<typeof useProof>): boolean {
  const { can } = useWorkspace();
  return missingForProof(can) !== undefined || (variables?.text === text && !isPending);
}

function useProof(botId: string) {
  const { client } = useWorkspace();
  return useMutation({
    mutationFn: ({ definition }: { text: string; definition: Record<string, unknown> }) =>
      client.bots.replay(botId, { definition, conversations }),
  });
}
