import { duplicateStep, moveStep } from '@parley/bot/editing/steps';
import type { Schema } from '@parley/bot/editing/forms';
import { Plus, Redo2, Undo2 } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useTexts } from '../../../../texts/texts.tsx';
import { Badge } from '../../../../ui/badge.tsx';
import { Button } from '../../../../ui/forms/button.tsx';
import type { Mark } from '../check.ts';
import type { TextDocument } from '../text-document.ts';
import { marksByStep, none, stepOf } from './advice.ts';
import { type Change, EditingContext, OutlineContext } from './editing.tsx';
import { InsertStep } from './insert-step.tsx';
import { useMarkWords } from './mark-words.ts';
import { outlineOf } from './outline.ts';
import { type CardActions, StepCard } from './step-card.tsx';
import { DeleteStep, RenameStep } from './step-dialogs.tsx';
import { keysOf, readSteps, type StepList } from './step-list.ts';
import { stepAt } from './step-at.ts';
import { useDrag } from './use-drag.ts';

interface Props {
  text: string;
  /** The text of a moment ago, while somebody types. */
  settled: string;
  document: TextDocument;
  schema: Schema;
  marks: readonly Mark[];
  /** Shows a place of the text, in UTF-16 units. */
  toSource(offset: number): void;
}

/** The definition as a list of cards. Every change is one of its text. */
export function StepsEditor(props: Props) {
  const { text, marks, toSource } = props;
  const { steps: t } = useTexts();
  const before = useRef<StepList>(undefined);
  const list = useMemo(() => readSteps(text, before.current), [text]);
  useEffect(() => {
    before.current = list;
  }, [list]);
  if (list) return <Cards {...props} list={list} />;
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 p-4">
      <p className="min-w-0 flex-1 basis-64">{t.unreadable}</p>
      <Button onClick={() => toSource(marks[0]?.from ?? 0)}>{t.toSource}</Button>
    </div>
  );
}

function Cards({ text, settled, document, schema, marks, toSource, list }: Props & { list: StepList }) {
  const { steps: t } = useTexts();
  const [asked, ask] = useState<{ what: 'insert' | 'rename' | 'delete'; index: number }>();
  const [said, say] = useState('');
  const [goal, setGoal] = useState<Goal>();
  const root = useRef<HTMLDivElement>(null);
  const cards = useRef<HTMLOListElement>(null);
  useGoal(root, goal);
  const { steps, definition } = list;
  const count = steps.length;
  const outline = useOutlineOf(list, text, settled);
  const change: Change = (edit, options) => document.change(edit(document.text), options);
  const move = (from: number, to: number): void => {
    change((before) => moveStep(before, from, to));
    say(t.moved(to + 1, count));
    setGoal({ step: to, part: '[data-handle]' });
  };
  const { dragging, handle } = useDrag(cards, move);
  const actions: CardActions = {
    move,
    duplicate: (index) => {
      change((before) => duplicateStep(before, index));
      say(t.duplicated(index + 2));
      setGoal({ step: index + 1, part: '[data-first]' });
    },
    ask: (what, index) => ask({ what, index }),
  };
  const editing = useStable({ schema, change });
  const stableActions = useStable(actions);
  const stableHandle = useStable(handle);
  const marksOf = useMarksByStep(marks);
  const run = (what: 'undo' | 'redo'): void => {
    const at = document[what]();
    if (at === undefined) return;
    say(what === 'undo' ? t.undone : t.redone);
    setGoal({ step: stepAt(document.text, at) });
  };
  const onKey = (event: KeyboardEvent): void => {
    // Windows above the screen are inside of it for React.
    if (!(event.ctrlKey || event.metaKey) || !root.current?.contains(event.target as Node)) return;
    const key = event.key.toLowerCase();
    const what = key === 'y' || (key === 'z' && event.shiftKey) ? 'redo' : key === 'z' ? 'undo' : undefined;
    if (!what || event.altKey) return;
    event.preventDefault();
    run(what);
  };
  const { undo, redo } = document.depths;
  const close = (): void => ask(undefined);
  const keys = keysOf(steps);
  return (
    <EditingContext value={editing}>
      <OutlineContext value={outline}>
        <div ref={root} onKeyDown={onKey} className="space-y-3 p-3">
          <div className="sticky top-14 z-10 flex flex-wrap items-center gap-2 rounded-md border border-line bg-panel p-2">
            <Button isSmall disabled={undo === 0} onClick={() => run('undo')}>
              <Undo2 size={14} aria-hidden="true" />
              {t.undo}
            </Button>
            <Button isSmall disabled={redo === 0} onClick={() => run('redo')}>
              <Redo2 size={14} aria-hidden="true" />
              {t.redo}
            </Button>
            <Wrong marks={marks} goTo={(step, at) => setGoal({ step, part: `li[tabindex]:nth-child(${at + 1})` })} />
          </div>
          <p role="status" className="sr-only">
            {said}
          </p>
          <OtherMarks marks={marks} toSource={toSource} />
          <div className="flex justify-center">
            <Button isSmall aria-label={t.insertAt(1)} onClick={() => ask({ what: 'insert', index: 0 })}>
              <Plus size={14} aria-hidden="true" />
              {t.insert}
            </Button>
          </div>
          <ol ref={cards} aria-label={t.list} className="space-y-2">
            {steps.map((step, index) => (
              <StepCard
                key={keys[index]}
                step={step}
                index={index}
                count={count}
                marks={marksOf[index] ?? none}
                actions={stableActions}
                handle={stableHandle}
                drop={
                  dragging?.to !== index || dragging.from === index
                    ? undefined
                    : dragging.from > index
                      ? 'above'
                      : 'below'
                }
                isDragged={dragging?.from === index}
              />
            ))}
          </ol>
          {asked?.what === 'insert' && (
            <InsertStep
              index={asked.index}
              close={close}
              onInserted={(index) => {
                say(t.inserted(index + 1));
                setGoal({ step: index, part: '[data-first]' });
              }}
            />
          )}
          {asked?.what === 'rename' && <RenameStep index={asked.index} close={close} />}
          {asked?.what === 'delete' && (
            <DeleteStep
              index={asked.index}
              definition={definition}
              close={close}
              onDeleted={(index) => {
                say(t.deleted(index + 1));
                setGoal({ step: Math.max(0, index - 1), part: '[data-handle]' });
              }}
            />
          )}
        </div>
      </OutlineContext>
    </EditingContext>
  );
}

/** A step to show, and the part of its card that gets the focus. */
interface Goal {
  step: number | undefined;
  part?: string;
}

function useGoal(root: React.RefObject<HTMLElement | null>, goal: Goal | undefined): void {
  useEffect(() => {
    if (goal?.step === undefined) return;
    // After a window above the screen has given back the focus.
    const timer = setTimeout(() => {
      const card = root.current?.querySelector(`[data-step="${goal.step}"]`);
      const part = goal.part === undefined ? null : card?.querySelector<HTMLElement>(goal.part);
      card?.scrollIntoView({ block: 'nearest' });
      part?.focus();
    }, 0);
    return () => clearTimeout(timer);
  }, [root, goal]);
}

/** Says how much is wrong, and leads from one to the next. */
function Wrong({ marks, goTo }: { marks: readonly Mark[]; goTo(step: number, at: number): void }) {
  const { steps: t } = useTexts();
  const [last, setLast] = useState(-1);
  const own = marks.filter((mark) => stepOf(mark) !== undefined);
  const errors = marks.filter(({ severity }) => severity === 'error').length;
  if (marks.length === 0) return <Badge tone="good">{t.nothingWrong}</Badge>;
  const next = (): void => {
    const at = (last + 1) % own.length;
    const step = own[at] && stepOf(own[at]);
    if (step === undefined) return;
    setLast(at);
    goTo(step, own.slice(0, at).filter((mark) => stepOf(mark) === step).length);
  };
  return (
    <>
      <Badge tone={errors > 0 ? 'bad' : 'warn'}>{t.wrong(errors, marks.length - errors)}</Badge>
      {own.length > 0 && (
        <Button isSmall onClick={next}>
          {t.toNext}
        </Button>
      )}
    </>
  );
}

/** What is wrong outside of the steps, with a way to its place. */
function OtherMarks({ marks, toSource }: Pick<Props, 'marks' | 'toSource'>) {
  const { steps: t } = useTexts();
  const wordsOf = useMarkWords();
  const others = marks.filter((mark) => stepOf(mark) === undefined);
  if (others.length === 0) return null;
  return (
    <ul aria-label={t.otherFaults} className="card space-y-2 p-3">
      {others.map((mark, index) => (
        <li key={index} className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 flex-1 basis-48 break-words">{wordsOf(mark)}</span>
          <Button isSmall onClick={() => toSource(mark.from)}>
            {t.toSource}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Returns what can be chosen. While somebody types, it follows a moment later: all cards show it. */
function useOutlineOf(list: StepList, text: string, settled: string) {
  const { steps: t } = useTexts();
  const structure = keysOf(list.steps).join(' ');
  const last = useRef<{ structure: string; source: StepList }>(undefined);
  const isSettled = text === settled;
  const source = isSettled || last.current?.structure !== structure ? list : last.current.source;
  useEffect(() => {
    last.current = { structure, source };
  });
  const written = useMemo(() => JSON.stringify(outlineOf(t, source)), [t, source]);
  return useMemo(() => JSON.parse(written) as ReturnType<typeof outlineOf>, [written]);
}

function useMarksByStep(marks: readonly Mark[]): Mark[][] {
  const before = useRef<Mark[][]>(undefined);
  const found = useMemo(() => marksByStep(marks, before.current), [marks]);
  useEffect(() => {
    before.current = found;
  }, [found]);
  return found;
}

/** Returns an object of functions that stays, and calls the newest ones. */
function useStable<Values extends object>(values: Values): Values {
  const latest = useRef(values);
  latest.current = values;
  return useMemo(
    () =>
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          typeof value === 'function'
            ? (...given: unknown[]) => (latest.current as Record<string, (...all: unknown[]) => unknown>)[name]?.(...given)
            : value,
        ]),
      ) as Values,
    [],
  );
}
