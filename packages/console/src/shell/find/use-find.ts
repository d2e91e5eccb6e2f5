import type { Customer } from '@parley/client';
import { detailNames, noDetails } from '@parley/contracts/customer-details';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useDeferredValue, useEffect, useRef, useState } from 'react';
import { useWorkspace, type Workspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useProblem } from '../../ui/problem.tsx';
import { interactionIdIn, type Place, placesNamed } from './places.ts';
import { usePlaces } from './use-places.ts';

const queryMin = 2;
const foundMax = 8;

/** The state of the field: its text, what it names, and which of these is chosen. Another screen empties it. */
export function useFind(isOperator: boolean) {
  const { pathname } = useLocation();
  const cache = useQueryClient();
  const workspace = useWorkspace();
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const trimmed = text.trim();
  const found = useFound(trimmed);
  const recordsOf = useRecords(trimmed);
  const places = placesNamed(text, usePlaces({ isOpen, hasText: trimmed !== '' }, isOperator));
  const named = [...places, ...recordsOf(customersNamed(workspace, trimmed, found.data?.data))];
  const shown = isOpen ? named : [];
  // What Enter waits for. It opens nothing if the text changes meanwhile, or the focus.
  const wanted = useRef('');
  useEffect(() => setText(''), [pathname]);
  const note = useNote(isOpen ? trimmed : '', found);
  const close = (): void => {
    wanted.current = '';
    setOpen(false);
  };
  const open = (place: Place | undefined): void => {
    if (!place) return;
    close();
    setText('');
    place.open();
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (!isOpen) setOpen(true);
      else if (shown.length > 0) setActive((active + step + shown.length) % shown.length);
    }
    if (event.key === 'Enter') void openChosen();
    if (event.key === 'Escape') close();
  };
  const show = (): void => {
    setActive(0);
    setOpen(true);
  };
  const change = (next: string): void => {
    wanted.current = '';
    setText(next);
    show();
  };
  return { text, setText: change, show, close, active, shown, note, open, onKey };

  /** Opens what is chosen. If only customers may have the name or id, waits for those whom the text of now finds. */
  async function openChosen(): Promise<void> {
    if (!isOpen) return;
    const isLocal =
      places.length > active || !workspace.can('personal-data:read') || trimmed.length < queryMin;
    if (isLocal || found.isOf(trimmed)) return open(shown[active]);
    wanted.current = trimmed;
    const { data } = await cache.fetchQuery(foundQuery(workspace, trimmed)).catch(() => ({ data: [] }));
    if (wanted.current === trimmed) open(recordsOf(data)[0]);
  }
}

const nobody: Customer = { id: '', ...noDetails, interactions: [] };

/** Returns what was found, or for people from whom names are hidden the customer with this id. */
function customersNamed({ can }: Workspace, text: string, found: Customer[] = []): Customer[] {
  if (text.length < queryMin || !can('customers:read')) return [];
  return can('personal-data:read') ? found : [{ ...nobody, id: text }];
}

/** Returns a function that adds to customers the interaction whose id is the text. */
function useRecords(text: string): (customers: Customer[]) => Place[] {
  const placeOf = useCustomerPlace();
  const ofId = useInteractionPlaces(text);
  return (customers) => [...customers.map(placeOf), ...ofId];
}

function useCustomerPlace(): (customer: Customer) => Place {
  const navigate = useNavigate();
  const { id: workspaceId } = useWorkspace();
  return (customer) => ({
    id: `customer ${customer.id}`,
    group: 'customers',
    name: customer.id,
    about: detailNames.flatMap((name) => customer[name] || []).join(' '),
    open: () =>
      void navigate({
        to: '/w/$workspaceId/customers/$customerId',
        params: { workspaceId, customerId: customer.id },
      }),
  });
}

/** Returns the interaction whose id is the text. It may not exist. */
function useInteractionPlaces(text: string): Place[] {
  const { search } = useTexts();
  const navigate = useNavigate();
  const { id: workspaceId, can } = useWorkspace();
  const id = interactionIdIn(text);
  if (id === undefined || !can('interactions:read')) return [];
  const params = { workspaceId, interactionId: id };
  const open = (): void => void navigate({ to: '/w/$workspaceId/interactions/$interactionId', params });
  return [{ id: `interaction ${id}`, group: 'interactions', name: search.open, about: id, open }];
}

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
