import type { Control } from '@parley/bot/editing/forms';
import type { Path } from '@parley/bot/editing/json-edits';
import { newEntry, newValue } from '@parley/bot/editing/new-values';
import { ArrowUp, Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTexts } from '../../../../../texts/texts.tsx';
import { Button } from '../../../../../ui/forms/button.tsx';
import { ExpressionControl } from '../conditions/condition-control.tsx';
import { type Edit, useEditing, useFirstWords, useOutline } from './editing.tsx';
import { entryNumber, withName } from './entries.ts';
import { SettledField } from './small-controls.tsx';

/** A value in a list, or under a name of the author's choice. */
export interface Entry {
  control: Control;
  label: string;
  value: unknown;
  path: Path;
}

interface EntriesProps {
  renderEntry(entry: Entry): ReactNode;
}

interface ListProps extends EntriesProps {
  label: string;
  control: Extract<Control, { kind: 'list' }>;
  value: unknown;
  path: Path;
  edit: Edit;
}

/** Entries in their order, such as the choices of a question. */
export function ListControl({ label, control, value, path, edit, renderEntry }: ListProps) {
  const { steps: t } = useTexts();
  const { schema } = useEditing();
  const say = useFirstWords();
  const { item, min, max } = control;
  const entries: unknown[] = Array.isArray(value) ? value : [];
  return (
    <fieldset className="min-w-0 space-y-2">
      <legend className="mb-1 text-xs font-medium text-quiet">{label}</legend>
      <ol className="space-y-2">
        {entries.map((entry, index) => (
          <li key={index} className="flex flex-wrap items-end gap-2">
            <div className="grid min-w-0 flex-1 basis-44 grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] items-end gap-2">
              {renderEntry({
                control: item,
                label: t.entry(label, index + 1),
                value: entry,
                path: [...path, index],
              })}
            </div>
            {index > 0 && (
              <Button
                isSmall
                kind="quiet"
                aria-label={t.raiseEntry(label, index + 1)}
                onClick={() => edit(path, entries.toSpliced(index, 1).toSpliced(index - 1, 0, entry))}
              >
                <ArrowUp size={14} aria-hidden="true" />
              </Button>
            )}
            {entries.length > min && (
              <RemoveEntry
                words={t.removeEntry(label, index + 1)}
                remove={() => edit([...path, index], undefined)}
              />
            )}
          </li>
        ))}
      </ol>
      {entries.length < max && (
        <Button
          isSmall
          onClick={() =>
            edit([...path, entries.length], newEntry(schema, control, say, entryNumber(entries)))
          }
        >
          <Plus size={14} aria-hidden="true" />
          {t.add(label)}
        </Button>
      )}
    </fieldset>
  );
}

interface MapProps extends EntriesProps {
  label: string;
  name: string;
  control: Extract<Control, { kind: 'map' }>;
  value: unknown;
  path: Path;
  edit: Edit;
}

/** Values under names of the author's choice. Those under `evaluation` are results, which are declared. */
export function MapControl({ label, name, control, value, path, edit, renderEntry }: MapProps) {
  const { steps: t } = useTexts();
  const { schema } = useEditing();
  const { keys } = useOutline();
  const say = useFirstWords();
  const { item } = control;
  const isResult = name === 'evaluation';
  const members = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const names = Object.keys(members);
  const declaring = (key: string, renames?: string) => (isResult ? { declares: key, renames } : {});
  const begin = (key: string): void => {
    const first = item.kind === 'expression' ? "''" : newValue(schema, { name: 'entry', control: item }, say);
    edit([...path, key], first, declaring(key));
  };
  return (
    <fieldset className="min-w-0 space-y-2">
      <legend className="mb-1 text-xs font-medium text-quiet">{label}</legend>
      {names.map((key, index) => (
        <div key={index} className="flex flex-wrap items-end gap-2 border-l-2 border-line pl-3">
          <div className="min-w-0 flex-1 basis-32">
            <SettledField
              label={t.name}
              value={key}
              {...(isResult && { suggestions: keys })}
              onChange={(next) =>
                edit(path, withName(members, key, next.trim()), declaring(next.trim(), key))
              }
            />
          </div>
          <div className="min-w-0 flex-[2] basis-44 space-y-2">
            {item.kind === 'expression' ? (
              <ExpressionControl
                label={t.value}
                path={[...path, key]}
                expression={String(members[key])}
                onChange={(next, isTyping) => edit([...path, key], next, { isTyping })}
              />
            ) : (
              renderEntry({
                control: item,
                label: t.value,
                value: members[key],
                path: [...path, key],
              })
            )}
          </div>
          <RemoveEntry
            words={t.removeEntry(label, index + 1)}
            remove={() => edit([...path, key], undefined)}
          />
        </div>
      ))}
      <Button isSmall onClick={() => begin(`value${entryNumber(names)}`)}>
        <Plus size={14} aria-hidden="true" />
        {t.add(label)}
      </Button>
    </fieldset>
  );
}

function RemoveEntry({ words, remove }: { words: string; remove(): void }) {
  return (
    <Button isSmall kind="quiet" aria-label={words} onClick={remove}>
      <X size={14} aria-hidden="true" />
    </Button>
  );
}
