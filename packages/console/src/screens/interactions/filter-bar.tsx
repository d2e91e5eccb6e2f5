import type { Interaction } from '@parley/client';
import { useNavigate } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useBots, useDefinition } from '../../data/bots.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { daysAgoIn, zoneOf } from '../../data/zone.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { ZoneField } from '../../ui/forms/zone-field.tsx';
import { useIsNarrow } from '../../ui/tables/narrow.ts';
import type { Column } from '../../ui/tables/table.tsx';
import { shortened, withoutPlaceholders, wordsOf } from '../../ui/words.ts';
import {
  filtersIn,
  type InteractionSearch,
  isFiltered,
  priorities,
  statuses,
  tests,
  toggledColumn,
} from './filters.ts';

interface Props {
  search: InteractionSearch;
  keys: string[];
  columns: Column<Interaction>[];
  hidden: string[];
}

/** The filters of the list. Each is a parameter of the address. On phones they are folded. */
export function FilterBar(props: Props) {
  const { interactions: t } = useTexts();
  const isNarrow = useIsNarrow();
  if (!isNarrow) return <Filters {...props} />;
  const used = filtersIn(props.search).length;
  return (
    <details className="mb-4">
      <summary className="mb-3 font-medium">{used === 0 ? t.filters : t.filtersUsed(used)}</summary>
      <Filters {...props} />
    </details>
  );
}

function Filters({ search, keys, columns, hidden }: Props) {
  const { interactions: t, common } = useTexts();
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  const { data: bots = [] } = useBots();
  const set = (change: InteractionSearch): void => {
    void navigate({
      to: '/w/$workspaceId/interactions',
      params: { workspaceId },
      search: { ...search, ...change },
      replace: true,
    });
  };
  const any = { value: '', label: common.any };
  return (
    <div role="group" aria-label={t.filters} className="mb-4 flex flex-wrap items-end gap-3">
      <SelectField
        label={t.bot}
        value={search.bot ?? ''}
        options={[any, ...bots.map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={(bot) => set({ bot, stopped: '', version: '', evaluation: [], hide: '' })}
        className="w-48 max-w-full"
      />
      <SelectField
        label={t.status}
        value={search.status ?? ''}
        options={[any, ...statuses.map((value) => ({ value, label: t.statuses[value] }))]}
        onChange={(status) => set({ status })}
      />
      <SelectField
        label={t.priority}
        value={search.priority ?? ''}
        options={[any, ...priorities.map((value) => ({ value, label: t.priorities[value] }))]}
        onChange={(priority) => set({ priority })}
      />
      <SelectField
        label={t.tests}
        value={search.test ?? ''}
        options={[any, ...tests.map((value) => ({ value, label: t.testFilters[value] }))]}
        onChange={(test) => set({ test })}
      />
      <PeriodFields search={search} set={set} />
      <CustomerField key={search.customer} customer={search.customer} set={set} />
      {search.bot !== undefined && keys.length > 0 && (
        <EvaluationField key={search.bot} {...{ search, keys, set }} />
      )}
      {search.stopped !== undefined && <StopFilter search={search} set={set} />}
      <ColumnChooser {...{ search, columns, hidden, set }} />
      {isFiltered(search) && (
        <Button kind="quiet" onClick={() => void navigate({ to: '.', search: {} })}>
          <X size={15} aria-hidden="true" />
          {t.clearFilters}
        </Button>
      )}
    </div>
  );
}

type Set = (change: InteractionSearch) => void;

function PeriodFields({ search, set }: { search: InteractionSearch; set: Set }) {
  const { interactions: t, common } = useTexts();
  const zone = zoneOf(search);
  const known = ['0', '6', '29'].find(
    (days) => search.to === undefined && search.from === daysAgoIn(zone, Number(days)),
  );
  const isOpen = search.from === undefined && search.to === undefined;
  const isCustom = !isOpen && known === undefined;
  return (
    <>
      <SelectField
        label={t.createdAt}
        value={isOpen ? '' : (known ?? 'custom')}
        options={[
          { value: '', label: common.any },
          { value: '0', label: common.today },
          { value: '6', label: common.last7 },
          { value: '29', label: common.last30 },
          { value: 'custom', label: common.fromTo },
        ]}
        onChange={(value) => {
          if (value === '') set({ from: '', to: '' });
          else if (value === 'custom') set({ from: daysAgoIn(zone, 13), to: daysAgoIn(zone, 7) });
          else set({ from: daysAgoIn(zone, Number(value)), to: '' });
        }}
      />
      {isCustom && (
        <>
          <TextField
            type="date"
            label={common.from}
            value={search.from?.slice(0, 10) ?? ''}
            onChange={(from) => set({ from })}
          />
          <TextField
            type="date"
            label={common.to}
            value={search.to?.slice(0, 10) ?? ''}
            onChange={(to) => set({ to })}
          />
        </>
      )}
      {search.tz !== undefined && <ZoneField zone={zone} onChange={(tz) => set({ tz })} />}
    </>
  );
}

function CustomerField({ customer = '', set }: { customer: string | undefined; set: Set }) {
  const { interactions: t } = useTexts();
  const [text, setText] = useState(customer);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    set({ customer: text.trim() });
  };
  return (
    <form onSubmit={submit} onBlur={() => text !== customer && set({ customer: text.trim() })}>
      <TextField label={t.customerId} value={text} onChange={setText} className="w-36" spellCheck={false} />
    </form>
  );
}

function EvaluationField({ search, keys, set }: { search: InteractionSearch; keys: string[]; set: Set }) {
  const { interactions: t, common } = useTexts();
  const [chosenKey, setKey] = useState('');
  const key = keys.includes(chosenKey) ? chosenKey : (keys[0] ?? '');
  const [value, setValue] = useState('');
  const chosen = search.evaluation ?? [];
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (value === '') return;
    set({ evaluation: [...chosen, `${key}:${value}`] });
    setValue('');
  };
  return (
    <>
      <form onSubmit={submit} className="flex min-w-0 flex-wrap items-end gap-1.5">
        <SelectField
          label={t.answer}
          value={key}
          options={keys.map((one) => ({ value: one, label: wordsOf(one) }))}
          onChange={setKey}
          className="max-w-40"
        />
        <TextField label={t.equals} value={value} onChange={setValue} className="w-24" />
        <Button type="submit">{common.add}</Button>
      </form>
      {chosen.map((one) => (
        <Button
          key={one}
          aria-label={t.removeFilter(one)}
          onClick={() => set({ evaluation: chosen.filter((other) => other !== one) })}
        >
          {one.replace(':', ' = ')}
          <X size={14} aria-hidden="true" />
        </Button>
      ))}
    </>
  );
}

/** The step at which the interactions have stopped, as the insight of the bot has led here. */
function StopFilter({ search, set }: { search: InteractionSearch; set: Set }) {
  const { interactions: t } = useTexts();
  const { stopped = '', version } = search;
  const step = useDefinition(search.bot)?.steps.find(({ id }) => id === stopped);
  const words: unknown = step?.text;
  // An older version may have had the step, and the text may be one for each language.
  const shown = typeof words === 'string' ? shortened(withoutPlaceholders(words)) : wordsOf(stopped);
  const text = t.stoppedAt(shown, version);
  return (
    <Button
      aria-label={t.removeFilter(text)}
      title={stopped}
      onClick={() => set({ stopped: '', version: '' })}
    >
      {text}
      <X size={14} aria-hidden="true" />
    </Button>
  );
}

function ColumnChooser({ search, columns, hidden, set }: Omit<Props, 'keys'> & { set: Set }) {
  const { interactions: t } = useTexts();
  const toggle = (column: Column<Interaction>): void => set(toggledColumn(search, column));
  return (
    <details className="relative">
      <summary className="field flex list-none items-center">{t.columns}</summary>
      <div className="card absolute top-11 z-20 w-56 space-y-2 p-3 shadow-lg">
        {columns.slice(1).map((column) => (
          <label key={column.id} className="flex items-center gap-2">
            <input
              type="checkbox"
              checked={!hidden.includes(column.id ?? '')}
              onChange={() => toggle(column)}
            />
            {String(column.header)}
          </label>
        ))}
      </div>
    </details>
  );
}
