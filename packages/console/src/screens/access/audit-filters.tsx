import { auditActions } from '@parley/contracts/audit-actions';
import { getRouteApi } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useNames } from '../../data/people.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { ZoneField } from '../../ui/forms/zone-field.tsx';
import { idOfName, nameOfId } from './known-value.ts';

/** The filters of the address. `from` and `to` are days of the time zone `tz`. */
export interface AuditSearch {
  actor?: string;
  action?: string;
  target?: string;
  from?: string;
  to?: string;
  tz?: string;
}

const route = getRouteApi('/w/$workspaceId/access/audit');

/** After this pause in typing, a filter is applied. A known value that is chosen is applied at once. */
const settledMs = 500;

interface Props {
  actors: Record<string, string>;
  targets: Record<string, string>;
}

/** The filters of the audit log, each a parameter of the address. Known values are proposed by their names. */
export function AuditFilters({ actors, targets }: Props) {
  const { audit: t, common, names } = useTexts();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const known = useNames();
  const set = (change: AuditSearch): void => {
    // Not what this render knows: another filter may have changed since.
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  };
  const actions = auditActions
    .map((value) => ({ value, label: names.actions[value] }))
    .sort((one, other) => one.label.localeCompare(other.label));
  return (
    <div role="group" aria-label={t.filters} className="mb-4 flex flex-wrap items-end gap-3">
      <SelectField
        label={t.action}
        value={search.action ?? ''}
        options={[{ value: '', label: common.any }, ...actions]}
        onChange={(action) => set({ action })}
      />
      <KnownField
        label={t.actor}
        value={search.actor ?? ''}
        known={{ ...known, ...actors }}
        set={(actor) => set({ actor })}
      />
      <KnownField
        label={t.target}
        value={search.target ?? ''}
        known={targets}
        set={(target) => set({ target })}
      />
      <TextField
        type="date"
        label={common.from}
        value={search.from ?? ''}
        onChange={(from) => set({ from })}
      />
      <TextField type="date" label={common.to} value={search.to ?? ''} onChange={(to) => set({ to })} />
      {search.tz !== undefined && <ZoneField zone={search.tz} onChange={(tz) => set({ tz })} />}
      {Object.keys(search).length > 0 && (
        <Button kind="quiet" onClick={() => void navigate({ search: {} })}>
          <X size={15} aria-hidden="true" />
          {t.clearFilters}
        </Button>
      )}
    </div>
  );
}

interface FieldProps {
  label: string;
  value: string;
  known: Record<string, string>;
  set(value: string): void;
}

function KnownField({ label, value, known, set }: FieldProps) {
  const listId = useId();
  const [text, setText] = useState(nameOfId(known, value));
  // The text belongs to this value until it is changed: others may have the same name.
  const applied = useRef({ value, text });
  const name = nameOfId(known, value);
  // A link beside an event changes the address, too. Its name may be known only later.
  useEffect(() => {
    const isNamedLater = applied.current.text === value && text === value;
    if (applied.current.value === value && !isNamedLater) return;
    applied.current = { value, text: name };
    setText(name);
  }, [value, name]);
  const words = text.trim();
  const id = words === applied.current.text ? applied.current.value : idOfName(known, words);
  const wanted = id ?? words;
  const isKnown = id !== undefined || wanted === '';
  useEffect(() => {
    if (wanted === applied.current.value) return;
    const apply = (): void => {
      applied.current = { value: wanted, text: words };
      set(wanted);
    };
    const timer = setTimeout(apply, isKnown ? 0 : settledMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  return (
    <>
      <TextField
        label={label}
        value={text}
        onChange={setText}
        list={listId}
        className="w-44"
        spellCheck={false}
      />
      <datalist id={listId}>
        {[...new Set(Object.values(known))].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
