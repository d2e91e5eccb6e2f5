import { type Control, type Field, inputFields, inputTypes } from '@parley/bot/editing/forms';
import type { Path } from '@parley/bot/editing/json-edits';
import { inputOfType, newValue } from '@parley/bot/editing/new-values';
import { useLanguage, useTexts } from '../../../../../texts/texts.tsx';
import { CheckField, SelectField, TextField } from '../../../../../ui/forms/field.tsx';
import { ConditionControl } from '../conditions/condition-control.tsx';
import { type Edit, useEditing, useFirstWords, useOutline } from './editing.tsx';
import { wordsFirst } from './entries.ts';
import { type Entry, ListControl, MapControl } from './list-controls.tsx';
import { fieldWords } from './outline.ts';
import { DurationControl, LocaleSelect, LongField } from './bot-controls.tsx';
import { SettledField, StepSelect } from './small-controls.tsx';
import { textIn } from './step-list.ts';
import { typeTitle } from './type-titles.ts';
import { TemplateControl, WordsControl } from './words-control.tsx';

export interface FieldProps {
  field: Pick<Field, 'name' | 'control' | 'isRequired'>;
  /** Replaces the words of the field. */
  label?: string;
  value: unknown;
  path: Path;
  edit: Edit;
}

/** Fields of one language that name values. */
const templates = new Set(['prompt', 'prefill']);

/** The form of a value, by its schema. */
export function FieldControl({ field, label: given, value, path, edit }: FieldProps) {
  const { steps: t } = useTexts();
  const { name, control, isRequired } = field;
  const label = given ?? fieldWords(t, name);
  const text = typeof value === 'string' ? value : '';
  const set = (next: unknown, isTyping = false): void => edit(path, next, { isTyping });
  const renderEntry = ({ control: item, ...entry }: Entry) =>
    item.kind === 'object' ? (
      <Fields fields={item.fields.toSorted(wordsFirst)} value={entry.value} path={entry.path} edit={edit} />
    ) : (
      <FieldControl field={{ name: 'entry', control: item, isRequired: true }} edit={edit} {...entry} />
    );
  switch (control.kind) {
    case 'words':
      return <WordsControl {...{ label, value, path, edit, isRequired }} hasValues={control.hasValues} />;
    case 'line':
      if (templates.has(name)) return <TemplateControl {...{ label, value, path, edit, isRequired }} />;
      return <LineControl {...{ label, control, text, isRequired }} set={set} />;
    case 'locale':
      return <LocaleSelect label={label} value={text} onChange={set} />;
    case 'duration':
      return <DurationControl {...{ label, control, value, isRequired }} set={set} />;
    case 'numeric':
      return <NumberControl {...{ label, control, value, isRequired }} set={set} />;
    case 'flag':
      return (
        <CheckField
          label={label}
          checked={typeof value === 'boolean' ? value : control.otherwise}
          onChange={(checked) => set(checked === control.otherwise ? undefined : checked)}
        />
      );
    case 'constant':
      return (
        <CheckField
          label={label}
          checked={value === control.value}
          onChange={(checked) => set(checked ? control.value : undefined)}
        />
      );
    case 'name':
      return <NameControl {...{ name, label, text, path, edit, isRequired }} />;
    case 'expression':
      return <ConditionControl {...{ label, path }} expression={text} onChange={set} />;
    case 'input':
      return <InputControl {...{ value, path, edit }} />;
    case 'object':
      return <ObjectControl {...{ label, control, name, isRequired, value, path, edit }} />;
    case 'list':
      return <ListControl {...{ label, control, value, path, edit }} renderEntry={renderEntry} />;
    case 'map':
      return <MapControl {...{ label, name, control, value, path, edit }} renderEntry={renderEntry} />;
    case 'next':
      // The card shows it.
      return null;
  }
}

interface LineProps {
  label: string;
  control: Extract<Control, { kind: 'line' }>;
  text: string;
  isRequired: boolean;
  set(value: unknown, isTyping?: boolean): void;
}

/** A text that is no sentence. A name in data is taken as a whole: others refer to it. */
function LineControl({ label, control, text, isRequired, set }: LineProps) {
  const take = (next: string, isTyping: boolean): void =>
    set(next === '' && !isRequired ? undefined : next, isTyping);
  if (control.isName)
    return <SettledField label={label} value={text} onChange={(next) => take(next.trim(), false)} />;
  const Field = control.isLong ? LongField : TextField;
  return <Field label={label} value={text} onChange={(next) => take(next, true)} />;
}

/** The fields of an object, or of a step. */
export function Fields({
  fields,
  value,
  path,
  edit,
}: {
  fields: readonly FieldProps['field'][];
  value: unknown;
  path: Path;
  edit: Edit;
}) {
  const members = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  return fields.map((field) => (
    <FieldControl
      key={field.name}
      field={field}
      value={members[field.name]}
      path={[...path, field.name]}
      edit={edit}
    />
  ));
}

interface NumberProps {
  label: string;
  control: Extract<Control, { kind: 'numeric' }>;
  value: unknown;
  isRequired: boolean;
  set(value: unknown, isTyping?: boolean): void;
}

function NumberControl({ label, control, value, isRequired, set }: NumberProps) {
  const take = (text: string, isTyping: boolean): void => {
    const trimmed = text.trim().replace(',', '.');
    const pattern = control.isWhole ? /^-?\d{1,15}$/ : /^-?\d{1,15}(\.\d{1,15})?$/;
    if (pattern.test(trimmed)) set(Number(trimmed), isTyping);
    else if (trimmed === '' && !isRequired) set(undefined, isTyping);
  };
  return (
    <SettledField
      label={label}
      value={typeof value === 'number' ? String(value) : ''}
      inputMode="decimal"
      isLive
      onChange={take}
    />
  );
}

interface NameProps {
  name: string;
  label: string;
  text: string;
  path: Path;
  edit: Edit;
  isRequired: boolean;
}

/** The id of a step that follows, a key of the evaluation, or a name. */
function NameControl({ name, label, text, path, edit, isRequired }: NameProps) {
  const { steps: t } = useTexts();
  const { keys } = useOutline();
  const none = isRequired ? undefined : '';
  const set = (next: string, declares?: string): void =>
    edit(path, next === '' ? none : next, declares === undefined ? {} : { declares });
  if (name === 'goto')
    return (
      <StepSelect
        label={label}
        value={text}
        nothing={isRequired ? undefined : t.choose}
        onChange={(id) => set(id)}
      />
    );
  const isKey = name === 'evaluation';
  return (
    <SettledField
      label={label}
      value={text}
      {...(isKey && { suggestions: keys })}
      onChange={(next) => set(next.trim(), isKey ? next.trim() : undefined)}
    />
  );
}

/** The type of an answer, and its options. */
export function InputControl({ value, path, edit }: { value: unknown; path: Path; edit: Edit }) {
  const { steps: t } = useTexts();
  const { schema } = useEditing();
  const { language } = useLanguage();
  const say = useFirstWords();
  const rule = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const type = textIn(rule, 'type');
  const options = inputTypes(schema).map((one) => ({ value: one, label: typeTitle(one, language) }));
  return (
    <>
      <SelectField
        label={t.type}
        value={type}
        options={options.toSorted((one, other) => one.label.localeCompare(other.label))}
        onChange={(next) => edit(path, inputOfType(schema, rule, next, say))}
        className="w-full min-w-0"
      />
      <Fields fields={inputFields(schema, type)} value={rule} path={path} edit={edit} />
    </>
  );
}

interface ObjectProps {
  label: string;
  name: string;
  control: Extract<Control, { kind: 'object' }>;
  isRequired: boolean;
  value: unknown;
  path: Path;
  edit: Edit;
}

/** Several fields together. Those that may be missing have a box that adds them. */
function ObjectControl({ label, name, control, isRequired, value, path, edit }: ObjectProps) {
  const { schema } = useEditing();
  const say = useFirstWords();
  const isThere = isRequired || value !== undefined;
  return (
    <fieldset className="min-w-0 space-y-2">
      {isRequired ? (
        <legend className="mb-1 text-xs font-medium text-quiet">{label}</legend>
      ) : (
        <CheckField
          label={label}
          checked={isThere}
          onChange={(checked) => edit(path, checked ? newValue(schema, { name, control }, say) : undefined)}
        />
      )}
      {isThere && (
        <div className="space-y-2 border-l-2 border-line pl-3">
          <Fields fields={control.fields} value={value} path={path} edit={edit} />
        </div>
      )}
    </fieldset>
  );
}
