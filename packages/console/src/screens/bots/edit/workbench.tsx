import { ParleyError } from '@parley/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { schemaQuery } from '../../../data/bots.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { useSettled } from '../../../ui/forms/settled.ts';
import { classes } from '../../../ui/classes.ts';
import { Section } from '../../../ui/states.tsx';
import { checkDefinition, type Mark, refusalMarks } from './check.ts';
import { CodeEditor, type Place } from './code-editor.tsx';
import type { Beginning } from './draft/begin.ts';
import { Notices } from './draft/conflict.tsx';
import { definitionText } from './definition.ts';
import { DiscardButton } from './draft/draft-notice.tsx';
import { Preview } from './preview.tsx';
import { Proof } from './proof.tsx';
import { Publish } from './publish.tsx';
import { Saved } from './draft/saved.tsx';
import type { Saving } from './draft/saver.ts';
import { StepsEditor } from './steps/steps-editor.tsx';
import type { TextDocument } from './text-document.ts';
import { useText } from './use-text.ts';

const route = getRouteApi('/w/$workspaceId/bots/$botId/edit');

/** The pause in typing after which the text is checked. */
const settledMs = 200;

/** How many finished conversations are the proof. */
const conversations = 500;

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
  const hasPreview = route.useSearch().preview !== 'no';
  const { text, document, original, isChanged, saver, saving, rebase, onPublished } = useText(props);
  const theirs = saving.kind === 'conflict' ? saving.theirs : undefined;
  const [isCompared, setCompared] = useState(false);
  const checked = useSettled(text, settledMs);
  const { definition, marks: own } = useMemo(() => checkDefinition(checked, botKey), [checked, botKey]);
  const proof = useProof(botId);
  const [refused, setRefused] = useState<Refusal>();
  const marks = useMarks(text, own, [
    refused,
    proof.error && { text: proof.variables.text, error: proof.error },
  ]);
  const end = useRef<HTMLDivElement>(null);
  const isCurrent = text === checked;
  const isProven = isCurrent && proof.variables?.text === text && !proof.isPending;
  const body = isCurrent ? definition : undefined;
  return (
    <div className="space-y-4">
      <Notices {...{ beginning, isChanged, saver, theirs, isCompared, reopen }} compare={setCompared} />
      <div className={classes('grid gap-4', hasPreview && 'xl:grid-cols-[minmax(0,1fr)_25rem]')}>
        <Editing
          {...{ opened, base, original, document, text, marks, isChanged, saving }}
          settled={checked}
          theirs={theirs && isCompared ? definitionText(theirs.definition) : undefined}
          discard={async () => {
            await saver?.discard();
            await reopen();
          }}
          toEnd={() => end.current?.scrollIntoView()}
        />
        {hasPreview && <Preview definition={definition} />}
      </div>
      <div ref={end} className="scroll-mt-18 space-y-4">
        <Proof
          proof={proof}
          isOfText={proof.variables?.text === text}
          fault={faultOf()}
          prove={() => body && proof.mutate({ text, definition: body })}
        />
        <Publish
          {...{ botId, base, live, text, saver, onPublished }}
          reason={faultOf() ?? (isProven ? undefined : t.proofFirst)}
          setBase={rebase}
          onRefused={(error, sent) => setRefused({ text: sent, error })}
        />
      </div>
    </div>
  );

  function faultOf(): string | undefined {
    if (body === undefined) return t.hasFaults;
    if (theirs) return t.decideFirst;
    return isChanged ? undefined : t.unchanged;
  }
}

interface Refusal {
  text: string;
  error: Error;
}

/** Returns the marks of a text, with the faults for which the service has refused it. */
function useMarks(text: string, own: Mark[], refusals: readonly (Refusal | null | undefined)[]): Mark[] {
  const refusal = refusals.find((one) => one?.text === text && one.error instanceof ParleyError)?.error;
  return useMemo(
    () => (refusal instanceof ParleyError ? [...own, ...refusalMarks(text, refusal.errors)] : own),
    [own, refusal, text],
  );
}

function useProof(botId: string) {
  const { client } = useWorkspace();
  return useMutation({
    mutationFn: ({ definition }: { text: string; definition: Record<string, unknown> }) =>
      client.bots.replay(botId, { definition, conversations }),
  });
}

interface EditingProps extends Pick<Props, 'opened' | 'base' | 'original'> {
  saving: Saving;
  /** The text of a conflict, to which the differences are shown. */
  theirs: string | undefined;
  discard(): Promise<void>;
  document: TextDocument;
  text: string;
  /** The text of a moment ago, while somebody types. */
  settled: string;
  marks: Mark[];
  isChanged: boolean;
  toEnd(): void;
}

function Editing(props: EditingProps) {
  const { opened, base, original, document, text, settled, marks, isChanged, saving, theirs, toEnd, discard } = props;
  const { editor: t } = useTexts();
  const [showsDifference, setShows] = useState(false);
  const [place, setPlace] = useState<Place>();
  const [view, setView] = useView();
  const { data: schema } = useQuery(schemaQuery);
  const errors = marks.filter(({ severity }) => severity === 'error').length;
  // Differences are shown in the source.
  const isSource = view === 'source' || theirs !== undefined;
  return (
    <Section
      title={t.title(opened)}
      aside={
        <>
          {/* Its place stays: the text must not jump with the first key. */}
          <span className={classes(!isChanged && 'invisible')}>
            <Badge tone="accent">{t.changed}</Badge>
          </span>
          <Saved saving={saving} />
          <DiscardButton isChanged={isChanged} discard={discard} />
          <PreviewSwitch />
          {isSource && <Badge tone={errors > 0 ? 'bad' : 'good'}>{t.faults(errors)}</Badge>}
          {isSource && (
            <label className="flex items-center gap-2">
              <input
                type="checkbox"
                className="size-4"
                checked={showsDifference}
                onChange={({ target }) => setShows(target.checked)}
              />
              {t.showDifference(base)}
            </label>
          )}
          <Button isSmall kind="primary" onClick={toEnd}>
            {t.toPublish}
          </Button>
        </>
      }
    >
      <ViewSwitch isSource={isSource} setView={setView} />
      {isSource ? (
        <>
          <CodeEditor
            label={t.label}
            document={document}
            place={place}
            original={theirs ?? (showsDifference ? original : undefined)}
            marks={marks}
            schema={schema}
          />
          <MarkList marks={marks} goTo={(offset) => setPlace({ offset })} />
        </>
      ) : (
        schema && (
          <StepsEditor
            {...{ text, settled, document, schema, marks }}
            toSource={(offset) => {
              setView('source');
              setPlace({ offset });
            }}
          />
        )
      )}
    </Section>
  );
}

type View = 'steps' | 'source';

/** The view of the definition. The address keeps which. */
function useView(): [View, (view: View) => void] {
  const navigate = route.useNavigate();
  const set = (view: View): void =>
    void navigate({
      search: (before) => ({ ...before, view: view === 'source' ? view : undefined }),
      replace: true,
      resetScroll: false,
    });
  return [route.useSearch().view === 'source' ? 'source' : 'steps', set];
}

function ViewSwitch({ isSource, setView }: { isSource: boolean; setView(view: View): void }) {
  const { steps: t } = useTexts();
  return (
    <div role="group" aria-label={t.views} className="flex gap-2 border-b border-line px-4 py-2">
      <Button isSmall aria-pressed={!isSource} kind={isSource ? 'quiet' : 'secondary'} onClick={() => setView('steps')}>
        {t.list}
      </Button>
      <Button isSmall aria-pressed={isSource} kind={isSource ? 'secondary' : 'quiet'} onClick={() => setView('source')}>
        {t.source}
      </Button>
    </div>
  );
}

/** Shows or hides the preview. The address keeps which. */
function PreviewSwitch() {
  const { editor: t } = useTexts();
  const navigate = route.useNavigate();
  const isShown = route.useSearch().preview !== 'no';
  return (
    <Button
      isSmall
      aria-pressed={isShown}
      onClick={() =>
        void navigate({
          search: (before) => ({ ...before, preview: isShown ? 'no' : undefined }),
          replace: true,
          resetScroll: false,
        })
      }
    >
      {isShown ? t.hidePreview : t.showPreview}
    </Button>
  );
}

const shownMax = 20;

/** What is wrong, each with a way to its place. */
function MarkList({ marks, goTo }: { marks: Mark[]; goTo(offset: number): void }) {
  const { editor: t } = useTexts();
  if (marks.length === 0) return null;
  return (
    <ul aria-label={t.faultList} className="max-h-64 overflow-y-auto border-t border-line p-2">
      {marks.slice(0, shownMax).map(({ from, severity, message }, index) => (
        <li key={`${index} ${message}`}>
          <button
            type="button"
            className="flex w-full items-start gap-2 rounded px-2 py-1.5 text-left hover:bg-raised"
            onClick={() => goTo(from)}
          >
            <Badge tone={severity === 'error' ? 'bad' : 'warn'}>{t.severities[severity]}</Badge>
            <span className="min-w-0 break-words">{message}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
