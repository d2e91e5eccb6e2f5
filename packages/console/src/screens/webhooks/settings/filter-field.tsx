import type { EventName } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { eventTypesQuery } from '../../../data/deliveries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { SelectField, TextAreaField } from '../../../ui/forms/field.tsx';
import { filterFault, type TrialOutcome, sampleOf, tryFilter } from './try-filter.ts';

interface Props {
  filter: string;
  events: readonly EventName[];
  onChange(filter: string): void;
  isDisabled: boolean;
}

/** The filter of a webhook: a condition with its faults, and what it decides about a sample event. */
export function FilterField({ filter, events, onChange, isDisabled }: Props) {
  const { webhookSettings: s } = useTexts();
  const faultId = useId();
  const fault = filter === '' ? undefined : filterFault(filter);
  return (
    <div className="space-y-3">
      <TextAreaField
        label={s.filter}
        rows={3}
        placeholder="interaction.botKey == 'nps' && int(evaluation.nps_score) < 7"
        value={filter}
        onChange={onChange}
        disabled={isDisabled}
        aria-invalid={fault !== undefined}
        aria-describedby={faultId}
      />
      <p id={faultId} role="status" className={fault === undefined ? 'text-xs text-quiet' : 'text-bad'}>
        {fault ?? s.filterAbout}
      </p>
      {filter !== '' && fault === undefined && <Try filter={filter} events={events} />}
    </div>
  );
}

function Try({ filter, events }: { filter: string; events: readonly EventName[] }) {
  const { webhookSettings: s } = useTexts();
  const { data: types = [] } = useQuery(eventTypesQuery(useWorkspace()));
  const [chosen, setChosen] = useState<string>();
  const [edited, setEdited] = useState<string>();
  const event = chosen ?? events[0] ?? 'InteractionCompleted';
  const example = types.find(({ name }) => name === event)?.example ?? {};
  const sample = edited ?? sampleOf(example);
  return (
    <details className="rounded-md border border-line p-3">
      <summary className="font-medium">{s.try}</summary>
      <div className="mt-3 space-y-3">
        <SelectField
          label={s.sampleEvent}
          value={event}
          options={types.map(({ name }) => ({ value: name, label: name }))}
          onChange={(name) => {
            setChosen(name);
            setEdited(undefined);
          }}
        />
        <TextAreaField label={s.sample} rows={14} value={sample} onChange={setEdited} />
        <Verdict outcome={tryFilter(filter, event, sample)} />
      </div>
    </details>
  );
}

function Verdict({ outcome }: { outcome: TrialOutcome }) {
  const { webhookSettings: s } = useTexts();
  return (
    <p role="status">
      {outcome === 'passes' && <Badge tone="good">{s.passes}</Badge>}
      {outcome === 'kept' && <Badge tone="quiet">{s.kept}</Badge>}
      {typeof outcome === 'object' && <Badge tone="bad">{s.fails(outcome.reason)}</Badge>}
    </p>
  );
}
