import type { Control } from '@parley/bot/editing/forms';
import type { Path } from '@parley/bot/editing/json-edits';
import { newEntry, newValue } from '@parley/bot/editing/new-values';
import { ArrowUp, Plus, X } from 'lucide-react';
import { useTexts } from '../../../../texts/texts.tsx';
import { Button } from '../../../../ui/forms/button.tsx';
import { type Edit, useEditing, useFirstWords, useOutline } from './editing.tsx';
import { FieldControl, Fields } from './field-control.tsx';
import { entryNumber, withName } from './entries.ts';
import { SettledField } from './small-controls.tsx';

interface ListProps {
  label: string;
  control: Extract<Control, { kind: 'list' }>;
  value: unknown;
  path: Path;
  edit: Edit;
}

/** Entries in their order, such as the choices of a question. */
export function ListControl({ label, control, value, path, edit }: ListProps) {
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
              {item.kind === 'object' ? (
                <Fields
                  fields={[...item.fields].sort(wordsFirst)}
                  value={entry}
                  path={[...path, index]}
                  edit={edit}
                />
              ) : (
                <FieldControl
                  field={{ name: 'entry', control: item, isRequired: true }}
                  label={t.entry(label, index + 1)}
                  value={entry}
                  path={[...path, index]}
                  edit={edit}
                />
              )}
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
              <Button
                isSmall
                kind="quiet"
                aria-label={t.removeEntry(label, index + 1)}
                onClick={() => edit([...path, index], undefined)}
              >
                <X size={14} aria-hidden="true" />
              </Button>
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

/** What customers read comes before the names in data. */
const wordsFirst = (one: { control: Control }, other: { control: Control }): number =>
  Number(other.control.kind === 'words') - Number(one.control.kind === 'words');

interface MapProps {
  label: string;
  name: string;
  control: Extract<Control, { kind: 'map' }>;
  value: unknown;
  path: Path;
  edit: Edit;
}

/** Values under names of the author's choice. Those under `evaluation` are results, which are declared. */
export function MapControl({ label, name, control, value, path, edit }: MapProps) {
  const { steps: t } = useTexts();
  const { schema } = useEditing();
  const { keys } = useOutline();
  const say = useFirstWords();
  const isResult = name === 'evaluation';
  const members = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const names = Object.keys(members);
  const begin = (key: string): void => {
    const first = control.item.kind === 'expression' ? "''" : newValue(schema, { name: 'entry', control: control.item }, say);
    edit([...path, key], first, isResult ? { declares: key } : {});
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
                edit(path, withName(members, key, next.trim()), isResult ? { declares: next.trim() } : {})
              }
            />
          </div>
          <div className="min-w-0 flex-[2] basis-44 space-y-2">
            {control.item.kind === 'expression' ? (
              <SettledField
                label={t.value}
                value={String(members[key])}
                isLive
                onChange={(next, isTyping) => edit([...path, key], next, { isTyping })}
              />
            ) : (
              <FieldControl
                field={{ name: 'entry', control: control.item, isRequired: true }}
                label={t.value}
                value={members[key]}
                path={[...path, key]}
                edit={edit}
              />
            )}
          </div>
          <Button
            isSmall
            kind="quiet"
            aria-label={t.removeEntry(label, index + 1)}
            onClick={() => edit([...path, key], undefined)}
          >
            <X size={14} aria-hidden="true" />
          </Button>
        </div>
      ))}
      <Button isSmall onClick={() => begin(`value${entryNumber(names)}`)}>
        <Plus size={14} aria-hidden="true" />
        {t.add(label)}
      </Button>
    </fieldset>
  );
}
