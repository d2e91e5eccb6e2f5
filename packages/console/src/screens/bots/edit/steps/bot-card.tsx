import { botFields, fixedMembers } from '@parley/bot/editing/forms';
import { memo } from 'react';
import { useTexts } from '../../../../texts/texts.tsx';
import { Button } from '../../../../ui/forms/button.tsx';
import type { Mark } from '../check.ts';
import { MarksContext, useBotEdit, useEditing } from './fields/editing.tsx';
import { FieldControl } from './fields/field-control.tsx';
import { fieldWords } from './fields/outline.ts';
import { FixedMembers } from './fields/small-controls.tsx';
import { Marks } from './faults/marks.tsx';
import { fieldsOf } from './faults/advice.ts';
import { Foldable } from './foldable.tsx';

interface Props {
  definition: Record<string, unknown>;
  marks: readonly Mark[];
  /** Shows a place of the text, in UTF-16 units. */
  toSource(offset: number): void;
}

/** What a bot has beside its steps: its name, its language, its context, its results. */
export const BotCard = memo(function BotCard({ definition, marks, toSource }: Props) {
  const { steps: t } = useTexts();
  const { schema } = useEditing();
  const edit = useBotEdit();
  const fields = botFields(schema);
  const isHere = (mark: Mark): boolean => fields.some(({ name }) => name === fieldsOf(mark)[0]);
  return (
    <section aria-label={t.conversation} data-step="bot" className="card min-w-0">
      <h3 className="border-b border-line px-3 py-2 font-medium">{t.conversation}</h3>
      <MarksContext value={marks}>
        <Marks
          marks={marks}
          aside={(mark) =>
            !isHere(mark) && (
              <Button isSmall onClick={() => toSource(mark.from)}>
                {t.toSource}
              </Button>
            )
          }
        />
        <div className="p-3">
          <Foldable words={t.settings}>
            {fields.map((field) => (
              <div key={field.name} className="space-y-1">
                <FieldControl
                  field={field}
                  label={fieldWords({ fields: t.bot }, field.name)}
                  value={definition[field.name]}
                  path={[field.name]}
                  edit={edit}
                />
                {t.botAbout[field.name] !== undefined && (
                  <p className="text-xs text-quiet">{t.botAbout[field.name]}</p>
                )}
              </div>
            ))}
            <FixedMembers names={fixedMembers.bot} value={definition} />
          </Foldable>
        </div>
      </MarksContext>
    </section>
  );
});
