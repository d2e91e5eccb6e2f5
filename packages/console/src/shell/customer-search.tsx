import type { Customer } from '@parley/client';
import { detailNames, noDetails } from '@parley/contracts/customer-details';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useWorkspace, type Workspace } from '../data/workspace.tsx';
import { useTexts } from '../texts/texts.tsx';
import { classes } from '../ui/classes.ts';
import { useProblem } from '../ui/problem.tsx';
import { type Shortcut, useShortcuts } from '../ui/forms/shortcuts.tsx';
import { useSingleKeys } from '../ui/forms/single-keys.ts';

const queryMin = 2;
const foundMax = 8;

/** Finds a customer by the beginning of the id, a name or the e-mail address, and opens its history. */
export function CustomerSearch() {
  const { search } = useTexts();
  const input = useRef<HTMLInputElement>(null);
  const shortcuts = useMemo(
    (): Shortcut[] => [{ keys: '/', label: search.label, run: () => input.current?.focus() }],
    [search],
  );
  useShortcuts(shortcuts);
  const hasKeys = useSingleKeys();
  const listId = useId();
  const { text, setText, setOpen, close, active, customers, note, open, onKey } = useSearch();
  return (
    <div role="search" className="relative min-w-40 flex-1 sm:max-w-96">
      <Search size={15} aria-hidden="true" className="absolute top-2.5 left-2.5 text-quiet" />
      <input
        ref={input}
        type="search"
        role="combobox"
        aria-label={search.label}
        aria-expanded={customers.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={customers.length > 0 ? `${listId}-${active}` : undefined}
        placeholder={hasKeys ? `${search.placeholder}  ( / )` : search.placeholder}
        autoComplete="off"
        className="field w-full pl-8"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onFocus={() => setOpen(true)}
        onBlur={close}
        onKeyDown={onKey}
      />
      <div
        className="card absolute inset-x-0 top-11 z-30 overflow-hidden shadow-lg"
        hidden={customers.length === 0 && note === undefined}
      >
        <FoundList id={listId} {...{ customers, active, open }} />
        {note !== undefined && <p className="px-3 py-2 text-quiet">{note}</p>}
      </div>
    </div>
  );
}

/** The state of the search: its text, what it finds, and which of these is chosen. Another screen empties it. */
function useSearch() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const cache = useQueryClient();
  const workspace = useWorkspace();
  const { id: workspaceId, can } = workspace;
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const trimmed = text.trim();
  const found = useFound(trimmed);
  const customers = isOpen && trimmed.length >= queryMin ? foundOf(trimmed) : [];
  // What Enter waits for. It opens nothing if the text changes meanwhile, or the focus.
  const wanted = useRef('');
  useEffect(() => setText(''), [pathname]);
  const note = useNote(isOpen ? trimmed : '', found);
  const open = (customer: Customer | undefined): void => {
    if (!customer) return;
    close();
    setText('');
    void navigate({
      to: '/w/$workspaceId/customers/$customerId',
      params: { workspaceId, customerId: customer.id },
    });
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && customers.length > 0) {
      event.preventDefault();
      setActive((active + step + customers.length) % customers.length);
    }
    if (event.key === 'Enter' && trimmed.length >= queryMin) void openFound();
    if (event.key === 'Escape') close();
  };
  const close = (): void => {
    wanted.current = '';
    setOpen(false);
  };
  const change = (next: string): void => {
    wanted.current = '';
    setText(next);
    setActive(0);
    setOpen(true);
  };
  return { text, setText: change, setOpen, close, active, customers, note, open, onKey };

  /** Opens what is chosen. If the list is for an earlier text, opens the first customer that the text finds. */
  async function openFound(): Promise<void> {
    if (found.isOf(trimmed) || !can('personal-data:read')) return open(customers[active]);
    wanted.current = trimmed;
    const { data } = await cache.fetchQuery(foundQuery(workspace, trimmed)).catch(() => ({ data: [] }));
    if (wanted.current === trimmed) open(data[0]);
  }

  /** Returns what was found, or for people from whom names are hidden the customer with this id. */
  function foundOf(id: string): Customer[] {
    return can('personal-data:read') ? (found.data?.data ?? []) : [{ ...nobody, id }];
  }
}

const nobody: Customer = { id: '', ...noDetails, interactions: [] };

/** Returns what the list of customers cannot say. */
function useNote(text: string, { data, error }: ReturnType<typeof useFound>): string | undefined {
  const { search } = useTexts();
  const { can } = useWorkspace();
  const words = useProblem();
  if (text === '') return undefined;
  if (text.length < queryMin) return search.tooShort;
  if (!can('personal-data:read')) return search.onlyId;
  if (error) return words(error);
  if (!data) return undefined;
  if (data.data.length === 0) return search.nothing;
  const hidden = data.meta.totalResults - data.data.length;
  return hidden > 0 ? search.more(hidden) : undefined;
}

const foundQuery = ({ id, client }: Workspace, q: string) =>
  queryOptions({
    queryKey: [id, 'customer-search', q],
    queryFn: ({ signal }) => client.customers.list({ q, pageSize: foundMax }, { signal }),
  });

function useFound(text: string) {
  const workspace = useWorkspace();
  const { can } = workspace;
  const q = useDeferredValue(text);
  const { data, error, isPlaceholderData } = useQuery({
    ...foundQuery(workspace, q),
    enabled: q.length >= queryMin && can('customers:read') && can('personal-data:read'),
    placeholderData: q.length >= queryMin ? keepPreviousData : undefined,
  });
  return {
    data,
    error,
    /** Whether it is what this text finds. */
    isOf: (wanted: string) => data !== undefined && q === wanted && !isPlaceholderData,
  };
}

interface ListProps {
  id: string;
  customers: Customer[];
  active: number;
  open(customer: Customer): void;
}

function FoundList({ id, customers, active, open }: ListProps) {
  return (
    <ul id={id} role="listbox" hidden={customers.length === 0} className="py-1">
      {customers.map((customer, index) => (
        <li
          key={customer.id}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className={classes(
            'cursor-pointer px-3 py-1.5 break-words hover:bg-raised',
            index === active && 'bg-raised',
          )}
          // Before the input loses the focus, which closes the list.
          onMouseDown={(event) => {
            event.preventDefault();
            open(customer);
          }}
        >
          <span className="font-medium">{customer.id}</span>{' '}
          <span className="text-quiet">{detailNames.flatMap((name) => customer[name] || []).join(' ')}</span>
        </li>
      ))}
    </ul>
  );
}
