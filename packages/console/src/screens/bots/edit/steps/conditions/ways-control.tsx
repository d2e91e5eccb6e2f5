import { writeCondition } from '@parley/bot/editing/conditions';
import { Plus, X } from 'lucide-react';
import { memo } from 'react';
import { useTexts } from '../../../../../texts/texts.tsx';
import { Button } from '../../../../../ui/forms/button.tsx';
import { newRow } from './condition-form.ts';
import { ConditionControl } from './condition-control.tsx';
import { useEdit, useOutline } from '../fields/editing.tsx';
import { StepSelect } from '../fields/small-controls.tsx';
import { type Arm, readWays, type Ways, withArm, writeWays } from './ways.ts';

interface Props {
  index: number;
  next: unknown;
  /** Whether the step is there only to decide. */
  mustDecide: boolean;
}

/** What follows a step: "then", or "if ... go to" with "otherwise". */
export const WaysControl = memo(function WaysControl({ index, next, mustDecide }: Props) {
  const { steps: t } = useTexts();
  const { steps, values } = useOutline();
  const { arms, otherwise } = readWays(next);
  const edit = useEdit(index);
  const write = (changed: Ways, isTyping = false): void =>
    edit(['next'], writeWays(changed, mustDecide), { isTyping });
  const following = steps[index + 1];
  const own = values.find(({ name }) => name === `answers.${steps[index]?.id}`) ?? values[0];
  const decides = arms.length > 0 || mustDecide;
  return (
    <section aria-label={t.ways} className="space-y-3">
      {arms.map((arm, at) => (
        <ArmControl
          key={at}
          arm={arm}
          at={at}
          set={(changed, isTyping) => write({ arms: arms.with(at, changed), otherwise }, isTyping)}
          remove={() => write({ arms: arms.toSpliced(at, 1), otherwise })}
        />
      ))}
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-56">
          <StepSelect
            label={decides ? t.otherwise : t.thenGo}
            value={otherwise ?? ''}
            nothing={decides ? undefined : following ? t.nextInList(following.label) : t.endOfList}
            onChange={(id) => write({ arms, otherwise: id === '' && !decides ? undefined : id })}
          />
        </div>
        {own && (
          <Button
            onClick={() =>
              write(
                withArm(
                  { arms, otherwise },
                  writeCondition({ join: 'all', rows: [newRow(own)] }),
                  following?.id,
                ),
              )
            }
          >
            <Plus size={14} aria-hidden="true" />
            {t.addWay}
          </Button>
        )}
      </div>
    </section>
  );
});

interface ArmProps {
  arm: Arm;
  at: number;
  set(arm: Arm, isTyping?: boolean): void;
  remove(): void;
}

/** A way that is taken if its condition holds. */
function ArmControl({ arm, at, set, remove }: ArmProps) {
  const { steps: t } = useTexts();
  return (
    <div className="space-y-2 rounded-md border border-line p-3">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <ConditionControl
            label={t.ifWords}
            path={['next', at, 'if']}
            expression={arm.condition}
            onChange={(condition, isTyping) => set({ ...arm, condition }, isTyping)}
          />
        </div>
        <Button isSmall kind="quiet" aria-label={t.removeWay(at + 1)} onClick={remove}>
          <X size={14} aria-hidden="true" />
        </Button>
      </div>
      <StepSelect label={t.goTo} value={arm.goto} onChange={(goto) => set({ ...arm, goto })} />
    </div>
  );
}
