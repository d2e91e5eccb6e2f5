import type { WebhookOptions } from '@parley/client';
import { Suspense } from 'react';
import { useTexts } from '../../../texts/texts.tsx';
import { CheckField } from '../../../ui/forms/field.tsx';
import { part } from '../../../ui/part.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import type { Draft } from './draft.ts';
import { EventChoice } from './event-choice.tsx';

// It has the evaluator of conditions.
const FilterField = part(() => import('./filter-field.tsx'), 'FilterField');

export interface FieldsProps {
  draft: Draft;
  options: WebhookOptions;
  set(next: Partial<Draft>): void;
}

export function EventFields({ draft, set, isLimited }: FieldsProps & { isLimited: boolean }) {
  const { webhookSettings: s } = useTexts();
  return (
    <div className="space-y-4 p-4">
      {isLimited && <p className="rounded-md bg-warn-soft p-2.5 text-warn">{s.limited}</p>}
      <EventChoice chosen={draft.events} onChange={(events) => set({ events })} isDisabled={isLimited} />
      <Suspense fallback={<Skeleton className="h-20" />}>
        <FilterField
          filter={draft.filter}
          events={draft.events}
          onChange={(filter) => set({ filter })}
          isDisabled={isLimited}
        />
      </Suspense>
      <CheckField
        label={s.envelope}
        about={s.envelopeAbout}
        checked={draft.envelope}
        disabled={isLimited}
        onChange={(envelope) => set({ envelope })}
      />
    </div>
  );
}
