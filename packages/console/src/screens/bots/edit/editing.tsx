import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { schemaQuery } from '../../../data/bots.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { classes } from '../../../ui/classes.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { CheckField } from '../../../ui/forms/field.tsx';
import { OneOf } from '../../../ui/forms/one-of.tsx';
import { part } from '../../../ui/part.tsx';
import { Section, SkeletonLines } from '../../../ui/states.tsx';
import type { Mark } from './check.ts';
import type { Place } from './code-editor.tsx';
import { definitionText } from './definition.ts';
import { DiscardButton } from './draft/draft-notice.tsx';
import { Saved } from './draft/saved.tsx';
import type { Saving } from './draft/saving.ts';
import { MarkList } from './steps/faults/mark-list.tsx';
import { StepsEditor } from './steps/steps-editor.tsx';
import type { TextDocument } from './text-document.ts';
import type { Languages } from './translations/translations-editor.tsx';

// These are large, and not the first view.
const CodeEditor = part(() => import('./code-editor.tsx'), 'CodeEditor');
const MapView = part(() => import('./map/map-view.tsx'), 'MapView');
const TranslationsEditor = part(() => import('./translations/translations-editor.tsx'), 'TranslationsEditor');

const route = getRouteApi('/w/$workspaceId/bots/$botId/edit');

/** The text to which the source is compared: the one of a version, or the one of a conflict. */
export type Compared = 'version' | 'theirs';

interface Props {
  botId: string;
  opened: number;
  /** The version to which the text is compared. */
  base: number;
  /** The text of `base`. Undefined while it is loaded. */
  original: string | undefined;
  saving: Saving;
  compares: Compared | undefined;
  setCompares(compares: Compared | undefined): void;
  discard(): Promise<void>;
  /** Tries the definition from a step. */
  tryFrom(stepId: string): void;
  document: TextDocument;
  text: string;
  /** The text of a moment ago, while somebody types. */
  settled: string;
  marks: Mark[];
  isChanged: boolean;
  step: ReturnType<typeof useStep>;
  toEnd(): void;
}

/** The text of the definition, in the view that the address names. */
export function Editing(props: Props) {
  const { opened, saving, compares } = props;
  const theirs = saving.kind === 'conflict' ? saving.theirs : undefined;
  const { editor: t, common } = useTexts();
  const { step } = props;
  const [view, setView] = useView();
  const compared =
    compares === 'version' ? props.original : compares && theirs && definitionText(theirs.definition);
  return (
    <Section
      title={t.title(opened)}
      status={<State isChanged={props.isChanged} saving={saving} />}
      aside={<Tools {...props} />}
    >
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <ViewSwitch
          view={view}
          setView={(next) => {
            step.settle();
            setView(next);
          }}
        />
        {view === 'source' && <SourceTools {...props} />}
        <span className="ml-auto">
          <PreviewSwitch />
        </span>
      </div>
      <Suspense fallback={<SkeletonLines count={8} label={common.loading} />}>
        <ShownView {...{ ...props, view, setView, step, compared }} />
      </Suspense>
    </Section>
  );
}

/** Returns the step at which somebody works, which all views share. `isOpened`: it was chosen elsewhere just now. */
export function useStep() {
  const [step, setStep] = useState<{ selected: number; isOpened: boolean }>();
  const [, setView] = useView();
  const open = (selected: number): void => setStep({ selected, isOpened: true });
  return {
    selected: step?.selected,
    isOpened: step?.isOpened === true,
    open,
    /** Opens a step in the list. */
    show: (selected: number) => {
      open(selected);
      setView('steps');
    },
    select: (selected: number) =>
      setStep((before) =>
        before?.selected === selected && !before.isOpened ? before : { selected, isOpened: false },
      ),
    settle: () => setStep((before) => before && { ...before, isOpened: false }),
  };
}

interface ShownProps extends Props {
  view: View;
  setView(view: View): void;
  /** The text to which the source shows the differences. */
  compared: string | undefined;
}

function ShownView(props: ShownProps) {
  const { view, setView, step, compared, botId, original, document, text, settled, marks, tryFrom } = props;
  const { selected, isOpened, open, show, select } = step;
  const { editor: t } = useTexts();
  const [place, setPlace] = useState<Place>();
  const [languages, setLanguages] = useState<Languages>({ added: [], chosen: undefined });
  const { data: schema } = useQuery(schemaQuery);
  const toSource = (offset: number): void => {
    setView('source');
    setPlace({ offset });
  };
  const toTranslations = (step: number | undefined): void => {
    if (step !== undefined) open(step);
    setView('translations');
  };
  switch (view) {
    case 'translations':
      return (
        <TranslationsEditor
          {...{ text, original, document, languages, setLanguages }}
          opened={isOpened ? selected : undefined}
        />
      );
    case 'map':
      return <MapView {...{ botId, text, marks, selected, toSource }} open={show} />;
    case 'source':
      return (
        <>
          <CodeEditor label={t.label} {...{ document, place, marks, schema }} original={compared} />
          <MarkList
            label={t.faultList}
            className="max-h-64 overflow-y-auto border-t border-line p-2"
            {...{ text, marks }}
            goTo={({ from }) => setPlace({ offset: from })}
          />
        </>
      );
    default:
      return (
        schema && (
          <StepsEditor
            {...{ text, settled, document, schema, marks, selected, select }}
            {...{ toSource, toTranslations, tryFrom }}
            opens={isOpened}
          />
        )
      );
  }
}

/** Whether there is something to publish, and whether it is saved. */
function State({ isChanged, saving }: Pick<Props, 'isChanged' | 'saving'>) {
  const { editor: t } = useTexts();
  return (
    <div className="flex flex-wrap items-center gap-x-2">
      {/* Its place stays: the text must not jump with the first key. */}
      <span className={classes(!isChanged && 'invisible')}>
        <Badge tone="accent">{t.changed}</Badge>
      </span>
      {/* What is not changed waits for nothing. */}
      <Saved saving={saving.kind === 'waiting' && !isChanged ? { kind: 'none' } : saving} />
    </div>
  );
}

function SourceTools({ base, marks, saving, compares, setCompares }: Props) {
  const { editor: t } = useTexts();
  const errors = marks.filter(({ severity }) => severity === 'error').length;
  const choices = [
    ['version', t.showDifference(base)],
    ['theirs', saving.kind === 'conflict' ? t.compareTheirs : undefined],
  ] as const;
  return (
    <>
      <Badge tone={errors > 0 ? 'bad' : 'good'}>{t.faults(errors)}</Badge>
      {choices.map(
        ([one, label]) =>
          label !== undefined && (
            <CheckField
              key={one}
              label={label}
              checked={compares === one}
              onChange={(checked) => setCompares(checked ? one : undefined)}
            />
          ),
      )}
    </>
  );
}

function Tools({ isChanged, discard, toEnd }: Props) {
  const { editor: t } = useTexts();
  return (
    <>
      <DiscardButton isChanged={isChanged} discard={discard} />
      <Button isSmall kind="primary" onClick={toEnd}>
        {t.toPublish}
      </Button>
    </>
  );
}

const views = ['steps', 'map', 'translations', 'source'] as const;
type View = (typeof views)[number];

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
  return [views.find((one) => one === view) ?? 'steps', set];
}

function ViewSwitch({ view, setView }: { view: View; setView(view: View): void }) {
  const { steps: t, editor, translations } = useTexts();
  const words = { steps: t.list, map: editor.map.view, translations: translations.view, source: t.source };
  return <OneOf label={t.views} values={views} value={view} words={words} onChange={setView} />;
}

/** Shows or hides the preview. The address keeps which. */
function PreviewSwitch() {
  const { editor: t } = useTexts();
  const navigate = route.useNavigate();
  const isShown = route.useSearch().preview !== 'no';
  return (
    <Button
      isSmall
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
