import type { EventName, EventType } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { eventTypesQuery } from '../../../data/deliveries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { QueryState } from '../../../ui/loading.tsx';

interface Props {
  chosen: readonly EventName[];
  onChange(chosen: EventName[]): void;
  isDisabled?: boolean;
}

export function EventChoice({ chosen, onChange, isDisabled = false }: Props) {
  const { webhookSettings: s, names } = useTexts();
  const { data, error, refetch } = useQuery(eventTypesQuery(useWorkspace()));
  if (!data) return <QueryState query={{ data, error, refetch }} />;
  // In the order of the catalogue.
  const toggle = (name: EventName): void =>
    onChange(
      data
        .map((one) => one.name)
        .filter((one) => (one === name ? !chosen.includes(one) : chosen.includes(one))),
    );
  return (
    <fieldset disabled={isDisabled} className="min-w-0">
      <legend className="mb-1 text-xs font-medium text-quiet">{s.events}</legend>
      <ul className="space-y-2">
        {data.map((type) => (
          <li key={type.name}>
            <label className="flex items-start gap-2">
              <input
                type="checkbox"
                className="mt-1"
                checked={chosen.includes(type.name)}
                onChange={() => toggle(type.name)}
              />
              <span>
                {names.events[type.name]} <span className="font-mono text-xs text-quiet">{type.name}</span>
                <span className="block text-xs text-quiet">{type.description.replaceAll('`', '')}</span>
              </span>
            </label>
            <Details type={type} />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function Details({ type: { name, example, schema } }: { type: EventType }) {
  const { webhookSettings: s } = useTexts();
  return (
    <div className="flex flex-wrap gap-x-4 pl-6">
      <Json label={s.example} name={name} value={example} />
      <Json label={s.schema} name={name} value={schema} />
    </div>
  );
}

function Json({ label, name, value }: { label: string; name: string; value: unknown }) {
  return (
    <details className="min-w-0 open:w-full">
      <summary className="text-xs text-quiet">{label}</summary>
      <pre
        tabIndex={0}
        aria-label={`${name}: ${label}`}
        className="mt-1 max-h-64 overflow-auto rounded bg-raised p-2 font-mono text-xs"
      >
        {JSON.stringify(value, undefined, 2)}
      </pre>
    </details>
  );
}
