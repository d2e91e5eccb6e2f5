import { duplicateStep, moveStep } from '@parley/bot/editing/steps';
import type { Schema } from '@parley/bot/editing/forms';
import type { Reference } from '@parley/bot/editing/references';
import { Plus } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useTexts } from '../../../../texts/texts.tsx';
import { Button } from '../../../../ui/forms/button.tsx';
import type { Mark } from '../check.ts';
import { HistoryBar, useHistory } from '../history/history.tsx';
import type { TextDocument } from '../text-document.ts';
import { BotCard } from './bot-card.tsx';
import { brokenBetween } from './breaks.ts';
import { marksByStep, none, stepOf } from './faults/advice.ts';
import { type Change, EditingContext, OutlineContext, useEditing } from './fields/editing.tsx';
import { InsertStep } from './insert-step.tsx';
import { Wrong } from './faults/wrong.tsx';
import { keepSame, outlineOf } from './fields/outline.ts';
import { type CardActions, StepCard } from './step-card.tsx';
import { BreakReferences, DeleteStep, RenameStep } from './step-dialogs.tsx';
import { Unreadable } from './unreadable.tsx';
import { keysOf, readSteps, type StepList, withoutSteps } from './fields/step-list.ts';
import { stepAround, stepAt } from './places.ts';
import { dropSide } from './drop-place.ts';
import { useDrag } from './use-drag.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { useSame, useStable } from './use-stable.ts';

interface Props {
  text: string;
  /** The text of a moment ago, while somebody types. */
  settled: string;
  document: TextDocument;
  schema: Schema;
  marks: readonly Mark[];
  /** Shows a place of the text, in UTF-16 units. */
  toSource(offset: number): void;
  /** Shows the translations of a step. */
  toTranslations(step: number | undefined): void;
  /** The step at which somebody works. `opens`: its card is shown, and gets the focus. */
  selected: number | undefined;
  opens: boolean;
  select(index: number): void;
  tryFrom(stepId: string): void;
}

/** The definition as a list of cards. Every change is one of its text. */
export function StepsEditor(props: Props) {
  const { text, marks, toSource } = props;
  const before = useRef<ReturnType<typeof readSteps>>(undefined);
  const list = useMemo(() => readSteps(text, before.current), [text]);
  useEffect(() => {
    before.current = list;
  }, [list]);
  if (list) return <Cards {...props} list={list} />;
  return <Unreadable marks={marks} toSource={toSource} />;
}

function Cards(props: Props & { list: StepList }) {
  const { text, settled, document, schema, marks, toSource, list, selected, opens, select } = props;
  const { tryFrom, toTranslations } = props;
  const { steps: t } = useTexts();
  const [asked, ask] = useState<Asked>();
  const root = useRef<HTMLDivElement>(null);
  const noteFocus = useKeptFocus(root);
  const opened = opens ? selected : undefined;
  const { change, actions, run, onKey, said, show } = useActions(document, list, root, { ask, opened });
  const outline = useOutlineOf(list, text, settled);
  const editing = useStable({ schema, change, toTranslations });
  const bot = useSame(withoutSteps(list.definition));
  const otherMarks = useSame(useMemo(() => marks.filter((mark) => stepOf(mark) === undefined), [marks]));
  const { toSource: stableToSource } = useStable({ toSource });
  const stable = useStable<CardActions>({ ...actions, tryFrom, ask: (what, index) => ask({ what, index }) });
  return (
    <EditingContext value={editing}>
      <OutlineContext value={outline}>
        <div
          ref={root}
          onKeyDown={onKey}
          onFocus={({ target }) => {
            noteFocus(target);
            const index = stepAround(target);
            if (index !== undefined) select(index);
          }}
          className="mx-auto max-w-3xl space-y-3 p-3"
        >
          <HistoryBar document={document} run={run}>
            <Wrong
              marks={marks}
              goTo={(step, at) => show({ step: step ?? 'bot', part: `li[tabindex]:nth-child(${at + 1})` })}
            />
          </HistoryBar>
          <p role="status" className="sr-only">
            {said}
          </p>
          <BotCard definition={bot} marks={otherMarks} toSource={stableToSource} />
          <div className="flex justify-center">
            <Button isSmall aria-label={t.insertAt(1)} onClick={() => ask({ what: 'insert', index: 0 })}>
              <Plus size={14} aria-hidden="true" />
              {t.insert}
            </Button>
          </div>
          <CardList steps={list.steps} marks={marks} actions={stable} selected={selected} />
          <Windows asked={asked} definition={list.definition} close={() => ask(undefined)} {...actions} />
        </div>
      </OutlineContext>
    </EditingContext>
  );
}

/** What a window asks: about a step, or about a change that breaks what refers to something. */
type Asked =
  | { what: 'insert' | 'rename' | 'delete'; index: number }
  | { what: 'break'; edit: (text: string) => string; broken: Reference[] };

/** Returns what changes the list, says what was done, and shows where. */
function useActions(
  document: TextDocument,
  { steps }: StepList,
  root: RefObject<HTMLElement | null>,
  { ask, opened }: { ask(asked: Asked): void; opened: number | undefined },
) {
  const { steps: t } = useTexts();
  const [said, say] = useState('');
  const show = useGoal(root, opened);
  const change: Change = (edit, { isTyping = false, isSure = isTyping } = {}) => {
    const next = edit(document.text);
    const broken = isSure ? [] : brokenBetween(document.text, next);
    if (broken.length > 0) ask({ what: 'break', edit, broken });
    else document.change(next, { isTyping });
  };
  const { run, onKey } = useHistory(document, root, (what, at) => {
    say(what === 'undo' ? t.undone : t.redone);
    show({ step: stepAt(document.text, at) ?? 'bot' });
  });
  const actions = {
    move: (from: number, to: number): void => {
      change((before) => moveStep(before, from, to));
      say(t.moved(to + 1, steps.length));
      show({ step: to, part: '[data-handle]' });
    },
    duplicate: (index: number): void => {
      change((before) => duplicateStep(before, index));
      say(t.duplicated(index + 2));
      show({ step: index + 1, part: '[data-first]' });
    },
    onInserted: (index: number): void => {
      say(t.inserted(index + 1));
      show({ step: index, part: '[data-first]' });
    },
    onDeleted: (index: number): void => {
      say(t.deleted(index + 1));
      show({ step: Math.max(0, index - 1), part: '[data-handle]' });
    },
  };
  return { change, actions, run, onKey, said, show };
}

interface ListProps {
  steps: StepList['steps'];
  marks: readonly Mark[];
  actions: CardActions;
  selected: number | undefined;
}

function CardList({ steps, marks, actions, selected }: ListProps) {
  const { steps: t } = useTexts();
  const cards = useRef<HTMLOListElement>(null);
  const { dragging, handle } = useDrag(cards, actions.move);
  const stableHandle = useStable(handle);
  const marksOf = useMarksByStep(marks);
  const keys = keysOf(steps);
  return (
    <ol ref={cards} aria-label={t.list} className="space-y-2">
      {steps.map((step, index) => (
        <StepCard
          key={keys[index]}
          step={step}
          index={index}
          count={steps.length}
          marks={marksOf[index] ?? none}
          actions={actions}
          handle={stableHandle}
          drop={dropSide(dragging, index)}
          isDragged={dragging?.from === index}
          isSelected={selected === index}
        />
      ))}
    </ol>
  );
}

interface WindowsProps {
  asked: Asked | undefined;
  definition: Record<string, unknown>;
  close(): void;
  onInserted(index: number): void;
  onDeleted(index: number): void;
}

function Windows({ asked, definition, close, onInserted, onDeleted }: WindowsProps) {
  const { change } = useEditing();
  if (!asked) return null;
  if (asked.what === 'break')
    return (
      <BreakReferences broken={asked.broken} close={close} run={() => change(asked.edit, { isSure: true })} />
    );
  const { what, index } = asked;
  if (what === 'insert') return <InsertStep index={index} close={close} onInserted={onInserted} />;
  if (what === 'rename') return <RenameStep index={index} definition={definition} close={close} />;
  return <DeleteStep index={index} definition={definition} close={close} onDeleted={onDeleted} />;
}

/** A step to show, or the rest of the bot, and the part of its card that gets the focus. */
type Goal = { step: number | 'bot' | undefined; part?: string };

/** Returns how a step is shown. The one that is opened elsewhere is shown, too. */
function useGoal(root: RefObject<HTMLElement | null>, opened: number | undefined): (goal: Goal) => void {
  const [goal, show] = useState<Goal>();
  useEffect(() => {
    if (opened !== undefined) show({ step: opened, part: 'h3' });
  }, [opened]);
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
  return show;
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
  const read = useMemo(() => outlineOf(t, source), [t, source]);
  const before = useRef(read);
  const outline = useMemo(() => keepSame(before.current, read), [read]);
  useEffect(() => {
    before.current = outline;
  }, [outline]);
  return outline;
}

function useMarksByStep(marks: readonly Mark[]): Mark[][] {
  const before = useRef<Mark[][]>(undefined);
  const found = useMemo(() => marksByStep(marks, before.current), [marks]);
  useEffect(() => {
    before.current = found;
  }, [found]);
  return found;
}
