import { fixedMembers, stepFields } from '@parley/bot/editing/forms';
import {
  ArrowDown,
  ArrowUp,
  Copy,
  GripVertical,
  type LucideIcon,
  Pencil,
  Play,
  Plus,
  Trash2,
} from 'lucide-react';
import { type KeyboardEvent, memo } from 'react';
import { useLanguage, useTexts } from '../../../../texts/texts.tsx';
import { classes } from '../../../../ui/classes.ts';
import { Button } from '../../../../ui/forms/button.tsx';
import type { Mark } from '../check.ts';
import { ConditionControl } from './conditions/condition-control.tsx';
import { MarksContext, useEdit, useEditing, useOutline } from './fields/editing.tsx';
import { Fields, InputControl } from './fields/field-control.tsx';
import { Marks } from './faults/marks.tsx';
import { Foldable } from './foldable.tsx';
import { kindWords } from './fields/outline.ts';
import { newCondition } from './conditions/condition-form.ts';
import { FixedMembers } from './fields/small-controls.tsx';
import { placeFields } from './card-fields.ts';
import { textIn } from './fields/step-list.ts';
import { typeWords } from './fields/type-titles.ts';
import { ImpliedLabels, QuestionView } from './question-view.tsx';
import type { DragHandle } from './use-drag.ts';
import { WaysControl } from './conditions/ways-control.tsx';

/** What the buttons of a card do. */
export interface CardActions {
  move(from: number, to: number): void;
  duplicate(index: number): void;
  tryFrom(stepId: string): void;
  ask(what: 'insert' | 'rename' | 'delete', index: number): void;
}

interface Props {
  step: Record<string, unknown>;
  index: number;
  count: number;
  marks: readonly Mark[];
  actions: CardActions;
  handle: DragHandle;
  /** Where the dragged step would be: above or below this one. */
  drop: 'above' | 'below' | undefined;
  isDragged: boolean;
  /** Whether somebody works at it. */
  isSelected: boolean;
}

/** A step: its text, its question as customers see it, its options as a form, and what follows. */
export const StepCard = memo(function StepCard(props: Props) {
  const { step, index, count, marks, actions, handle, drop, isDragged, isSelected } = props;
  const { steps: t } = useTexts();
  const { language } = useLanguage();
  const kind = kindWords(t, step);
  const type = typeWords(step['input'], language);
  return (
    <li
      data-step={index}
      aria-label={`${t.step(index + 1)}: ${kind}`}
      className={classes(
        // A stacking context of its own: a change is drawn without the other cards. What opens is above the next one.
        'relative z-0 border-y-2 border-transparent focus-within:z-1',
        drop === 'above' && 'border-t-accent',
        drop === 'below' && 'border-b-accent',
        isDragged && 'opacity-50',
      )}
    >
      <div className={classes('card min-w-0', isSelected && 'border-accent')}>
        <CardHead
          id={textIn(step, 'id')}
          words={type === undefined ? kind : `${kind} · ${type}`}
          {...{ index, count, actions, handle }}
        />
        <Marks marks={marks} />
        <MarksContext value={marks}>
          <Body step={step} index={index} />
        </MarksContext>
      </div>
      <div className="flex justify-center pt-2">
        <Button isSmall aria-label={t.insertAt(index + 2)} onClick={() => actions.ask('insert', index + 1)}>
          <Plus size={14} aria-hidden="true" />
          {t.insert}
        </Button>
      </div>
    </li>
  );
});

function Body({ step, index }: Pick<Props, 'step' | 'index'>) {
  const { steps: t } = useTexts();
  const { schema } = useEditing();
  const { locale } = useOutline();
  const edit = useEdit(index);
  const fields = placeFields(stepFields(schema, step['kind'], step['mode']));
  const input: unknown = step['input'];
  return (
    <div className="space-y-4 p-3">
      <Fields fields={fields.first} value={step} path={[]} edit={edit} />
      {fields.hasInput && (
        <>
          <QuestionView input={input} locale={locale} />
          <ImpliedLabels step={step} edit={edit} />
          <Foldable words={t.options}>
            <InputControl value={input} path={['input']} edit={edit} />
          </Foldable>
        </>
      )}
      <Condition when={step['when']} index={index} />
      <Foldable words={t.more}>
        <Fields fields={fields.more} value={step} path={[]} edit={edit} />
        <FixedMembers names={fixedMembers.step} value={step} />
      </Foldable>
      {fields.hasNext && <WaysControl index={index} next={step['next']} mustDecide={fields.mustDecide} />}
    </div>
  );
}

interface HeadProps extends Pick<Props, 'index' | 'count' | 'actions' | 'handle'> {
  id: string;
  words: string;
}

// What a key does not change is not made again.
const CardHead = memo(function CardHead({ id, words, index, count, actions, handle }: HeadProps) {
  const { steps: t } = useTexts();
  const number = index + 1;
  const onKey = (event: KeyboardEvent): void => {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to >= 0 && to < count) actions.move(index, to);
  };
  const moveTo = (to: number) => () => actions.move(index, to);
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-2 py-1.5">
      <button
        type="button"
        data-index={index}
        data-handle
        aria-label={t.drag(number)}
        className="flex size-8 cursor-grab touch-none items-center justify-center rounded text-quiet hover:bg-raised"
        onKeyDown={onKey}
        {...handle}
      >
        <GripVertical size={16} aria-hidden="true" />
      </button>
      <h3 tabIndex={-1} className="min-w-0 flex-1 basis-40 font-medium break-words">
        {number}. {words}
      </h3>
      <Button
        isSmall
        kind="quiet"
        aria-label={t.rename(id)}
        onClick={() => actions.ask('rename', index)}
        className="max-w-40"
      >
        <code className="truncate font-mono">{id}</code>
        <Pencil size={12} aria-hidden="true" className="shrink-0" />
      </Button>
      <span className="flex">
        <Sign words={t.tryFrom(number)} icon={Play} run={() => actions.tryFrom(id)} />
        {index > 0 && <Sign words={t.moveUp(number)} icon={ArrowUp} run={moveTo(index - 1)} />}
        {index < count - 1 && <Sign words={t.moveDown(number)} icon={ArrowDown} run={moveTo(index + 1)} />}
        <Sign words={t.duplicate(number)} icon={Copy} run={() => actions.duplicate(index)} />
        <Sign words={t.remove(number)} icon={Trash2} run={() => actions.ask('delete', index)} />
      </span>
    </div>
  );
});

function Sign({ words, icon: Icon, run }: { words: string; icon: LucideIcon; run(): void }) {
  return (
    <Button isSmall kind="quiet" aria-label={words} title={words} onClick={run}>
      <Icon size={14} aria-hidden="true" />
    </Button>
  );
}

/** The condition of a step, or a way to add one. */
const Condition = memo(function Condition({ when, index }: { when: unknown; index: number }) {
  const { steps: t } = useTexts();
  const { values } = useOutline();
  const edit = useEdit(index);
  if (typeof when !== 'string')
    return (
      <Button isSmall kind="quiet" onClick={() => edit(['when'], newCondition(values))}>
        <Plus size={14} aria-hidden="true" />
        {t.addCondition}
      </Button>
    );
  return (
    <div className="space-y-2">
      <ConditionControl
        label={t.condition}
        path={['when']}
        expression={when}
        onChange={(next, isTyping) => edit(['when'], next, { isTyping })}
      />
      <Button isSmall kind="quiet" onClick={() => edit(['when'], undefined)}>
        {t.removeCondition}
      </Button>
    </div>
  );
});
