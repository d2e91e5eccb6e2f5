import { Search } from 'lucide-react';
import { useEffect, useId, useMemo, useRef } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { classes } from '../../ui/classes.ts';
import { type Shortcut, useShortcuts } from '../../ui/forms/shortcuts.tsx';
import { useSingleKeys } from '../../ui/forms/single-keys.ts';
import { groups, type Place } from './places.ts';
import { useFind } from './use-find.ts';

/** Finds whatever has a name, and opens it, and interactions by their ids. */
export function Find({ isOperator }: { isOperator: boolean }) {
  const { search } = useTexts();
  const input = useRef<HTMLInputElement>(null);
  const hasKeys = useSingleKeys();
  const listId = useId();
  const { text, setText, show, close, active, shown, note, open, onKey } = useFind(isOperator);
  const isShown = shown.length > 0;
  useFindKeys(() => {
    input.current?.focus();
    input.current?.select();
    show();
  });
  return (
    <div role="search" className="min-w-40 flex-1 sm:relative sm:max-w-96">
      <div className="relative">
        <Search size={15} aria-hidden="true" className="absolute top-2.5 left-2.5 text-quiet" />
        <input
          ref={input}
          type="search"
          role="combobox"
          aria-label={search.label}
          aria-keyshortcuts="Control+K Meta+K"
          aria-expanded={isShown}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={isShown ? `${listId}-${active}` : undefined}
          title={`${search.label} (Ctrl+K)`}
          placeholder={hasKeys ? `${search.placeholder}  ( / )` : search.placeholder}
          autoComplete="off"
          className="field w-full pl-8"
          value={text}
          onChange={({ target }) => setText(target.value)}
          onMouseDown={show}
          onBlur={close}
          onKeyDown={onKey}
        />
      </div>
      <div
        className="card absolute inset-x-2 top-full z-30 overflow-hidden shadow-lg sm:inset-x-0 sm:mt-2"
        hidden={!isShown && note === undefined}
        // The field keeps the focus when somebody scrolls.
        onMouseDown={(event) => event.preventDefault()}
      >
        <FoundList id={listId} {...{ shown, active, open }} />
        {note !== undefined && <p className="px-3 py-2 text-quiet">{note}</p>}
      </div>
    </div>
  );
}

/** Calls `find` for Ctrl+K, also from a field, and for `/`. Not above a window. */
function useFindKeys(find: () => void): void {
  const { search } = useTexts();
  const latest = useRef(find);
  latest.current = find;
  const shortcuts = useMemo(
    (): Shortcut[] => [{ keys: '/', label: search.label, run: () => latest.current() }],
    [search],
  );
  useShortcuts(shortcuts);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      // In the editor of a bot, Ctrl+K may be a key of the editor.
      if (event.altKey || event.shiftKey || event.defaultPrevented || event.isComposing) return;
      if (document.querySelector('[role=dialog], dialog[open]')) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

interface ListProps {
  id: string;
  shown: Place[];
  active: number;
  open(place: Place): void;
}

function FoundList({ id, shown, active, open }: ListProps) {
  const { search } = useTexts();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active, shown.length]);
  const numbered = shown.map((place, index) => ({ place, index }));
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={search.label}
      hidden={shown.length === 0}
      className="max-h-[min(32rem,70dvh)] overflow-y-auto py-1"
    >
      {groups
        .filter((group) => shown.some((place) => place.group === group))
        .map((group) => (
          <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
            <p id={`${id}-${group}`} role="presentation" className="px-3 pt-1.5 text-xs text-quiet">
              {search.groups[group]}
            </p>
            {numbered
              .filter(({ place }) => place.group === group)
              .map(({ place, index }) => (
                <div
                  key={place.id}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === active}
                  className={classes(
                    'cursor-pointer px-3 py-1.5 wrap-anywhere hover:bg-raised',
                    index === active && 'bg-raised',
                  )}
                  // Before the input loses the focus, which closes the list.
                  onMouseDown={(event) => {
                    event.preventDefault();
                    open(place);
                  }}
                >
                  <span className="font-medium">{place.name}</span>{' '}
                  {place.about !== undefined && <span className="text-quiet">{place.about}</span>}
                </div>
              ))}
          </div>
        ))}
    </div>
  );
}
