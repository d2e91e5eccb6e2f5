import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { schemaQuery } from '../../../data/bots.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { classes } from '../../../ui/classes.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { part } from '../../../ui/part.tsx';
import { Section } from '../../../ui/states.tsx';
import type { Mark } from './check.ts';
import { CodeEditor, type Place } from './code-editor.tsx';
import { DiscardButton } from './draft/draft-notice.tsx';
import { Saved } from './draft/saved.tsx';
import type { Saving } from './draft/saver.ts';
import { StepsEditor } from './steps/steps-editor.tsx';
import type { TextDocument } from './text-document.ts';

const TranslationsEditor = part(() => import('./translations/translations-editor.tsx'), 'TranslationsEditor');

const route = getRouteApi('/w/$workspaceId/bots/$botId/edit');

interface Props {
  opened: number;
  /** The version to which the text is compared. */
  base: number;
  /** The text of `base`. Undefined while it is loaded. */
  original: string | undefined;
  saving: Saving;
  /** The text of a conflict, to which the differences are shown. */
  theirs: string | undefined;
  discard(): Promise<void>;
  /** Tries the definition from a step. */
  tryFrom(stepId: string): void;
  document: TextDocument;
  text: string;
  /** The text of a moment ago, while somebody types. */
  settled: string;
  marks: Mark[];
  isChanged: boolean;
  toEnd(): void;
}

/** The text of the definition, in the view that the address names. */
export function Editing(props: Props) {
  const { opened, document, text, settled, marks, theirs, tryFrom } = props;
  const { editor: t } = useTexts();
  const [comparesTo, setCompares] = useState(false);
  const [place, setPlace] = useState<Place>();
  const [view, setView] = useView();
  const { data: schema } = useQuery(schemaQuery);
  // Differences are shown in the source.
  const isSource = view === 'source' || theirs !== undefined;
  return (
    <Section
      title={t.title(opened)}
      aside={<Tools {...props} isSource={isSource} comparesTo={comparesTo} setCompares={setCompares} />}
    >
      <ViewSwitch view={isSource ? 'source' : view} setView={setView} />
      {!isSource && view === 'translations' && (
        <Suspense>
          <TranslationsEditor text={text} original={props.original} document={document} />
        </Suspense>
      )}
      {isSource ? (
        <>
          <CodeEditor
            label={t.label}
            document={document}
            place={place}
            original={theirs ?? (comparesTo ? props.original : undefined)}
            marks={marks}
            schema={schema}
          />
          <MarkList marks={marks} goTo={(offset) => setPlace({ offset })} />
        </>
      ) : (
        schema &&
        view === 'steps' && (
          <StepsEditor
            {...{ text, settled, document, schema, marks, tryFrom }}
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

interface ToolsProps extends Props {
  isSource: boolean;
  comparesTo: boolean;
  setCompares(compares: boolean): void;
}

function Tools({ isChanged, saving, discard, toEnd, base, marks, isSource, ...comparison }: ToolsProps) {
  const { editor: t } = useTexts();
  const errors = marks.filter(({ severity }) => severity === 'error').length;
  return (
    <>
      {/* Its place stays: the text must not jump with the first key. */}
      <span className={classes(!isChanged && 'invisible')}>
        <Badge tone="accent">{t.changed}</Badge>
      </span>
      <Saved saving={saving} />
      <DiscardButton isChanged={isChanged} discard={discard} />
      <PreviewSwitch />
      {isSource && (
        <>
          <Badge tone={errors > 0 ? 'bad' : 'good'}>{t.faults(errors)}</Badge>
          <label className="flex items-center gap-2">
            <input
              type="checkbox"
              className="size-4"
              checked={comparison.comparesTo}
              onChange={({ target }) => comparison.setCompares(target.checked)}
            />
            {t.showDifference(base)}
          </label>
        </>
      )}
      <Button isSmall kind="primary" onClick={toEnd}>
        {t.toPublish}
      </Button>
    </>
  );
}

type View = 'steps' | 'translations' | 'source';

/** The view of the definition. The address keeps which. */
function useView(): [View, (view: View) => void] {
  const navigate = route.useNavigate();
  const set = (view: View): void =>
    void navigate({
      search: (before) => ({ ...before, view: view === 'steps' ? undefined : view }),
      replace: true,
      resetScroll: false,
    });
  const { view } = route.useSearch();
  return [view === 'source' || view === 'translations' ? view : 'steps', set];
}

function ViewSwitch({ view, setView }: { view: View; setView(view: View): void }) {
  const { steps: t, translations } = useTexts();
  const views = [
    ['steps', t.list],
    ['translations', translations.view],
    ['source', t.source],
  ] as const;
  return (
    <div role="group" aria-label={t.views} className="flex flex-wrap gap-2 border-b border-line px-4 py-2">
      {views.map(([name, label]) => (
        <Button
          key={name}
          isSmall
          aria-pressed={name === view}
          kind={name === view ? 'secondary' : 'quiet'}
          onClick={() => setView(name)}
        >
          {label}
        </Button>
      ))}
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
