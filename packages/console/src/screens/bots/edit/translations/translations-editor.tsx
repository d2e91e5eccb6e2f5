import { stepsIn } from '@parley/bot/editing/references';
import { type TranslationTable, translationTable } from '@parley/bot/translations/table';
import { setTranslation } from '@parley/bot/translations/translate';
import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useLanguage, useTexts } from '../../../../texts/texts.tsx';
import { Button } from '../../../../ui/forms/button.tsx';
import { SelectField, TextField } from '../../../../ui/forms/field.tsx';
import { definitionIn } from '../draft/begin.ts';
import { HistoryBar, ownHistory, useHistory } from '../history/history.tsx';
import { languageName, languageOptions } from '../steps/fields/languages.ts';
import type { TextDocument } from '../text-document.ts';
import { changedText } from './changed-text.ts';
import { Files, Outcome } from './files.tsx';
import { rowWords } from './row-words.ts';
import { keyIn, type Taken, takeTranslations } from './translation-files.ts';
import { TranslationField } from './translation-field.tsx';

/** The languages of the table. They stay while the editor is open. */
export interface Languages {
  /** Those that were added, also without a text yet. */
  added: readonly string[];
  /** The one that is shown. Undefined: the first one. */
  chosen: string | undefined;
}

interface Props {
  text: string;
  /** The version to which the text is compared. Undefined while it is loaded. */
  original: string | undefined;
  document: TextDocument;
  /** The step whose first translation gets the focus at first. */
  opened: number | undefined;
  languages: Languages;
  setLanguages(languages: Languages): void;
}

/** The texts of a bot beside their translations into one language. Every change is one of the definition's text. */
export function TranslationsEditor(props: Props) {
  const { document, languages: kept, setLanguages } = props;
  const texts = useTexts();
  const { translations: t } = texts;
  const { language: reader } = useLanguage();
  const { definition, table, tableOf } = useTable(props);
  const { own, languages, rows } = table;
  const choose = (tag: string): void => setLanguages({ ...kept, chosen: tag });
  const { chosen } = kept;
  const language = chosen !== undefined && languages.includes(chosen) ? chosen : (languages[0] ?? '');
  const { taken, take, forget } = useTaking(document);
  const root = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const { run, onKey, said } = useShowingHistory(document, root, list, () => {
    const changed = changedText(table, tableOf(document.text), language);
    if (changed) choose(changed.language);
    forget();
    return changed?.key;
  });
  const { shown, isOn, setOn } = useOpenOnly(rows, language);
  useOpened(list, props.opened);
  if (rows.length === 0) return <p className="p-4">{t.unreadable}</p>;
  const write = (name: string, wording: string): void =>
    document.change(setTranslation(document.text, { key: name, language, text: wording }), {
      isTyping: true,
    });
  const steps = stepsIn(definition);
  return (
    <div ref={root} onKeyDown={onKey} className="space-y-4 p-4">
      <HistoryBar document={document} run={run}>
        <OpenOnly isOn={isOn} set={setOn} />
      </HistoryBar>
      <p role="status" className="sr-only">
        {said}
      </p>
      <Progress table={table} />
      <LanguageChoice
        {...{ languages, language, choose }}
        add={(tag) => setLanguages({ added: [...kept.added, tag], chosen: tag })}
      />
      <Files table={table} language={language} botKey={keyIn(definition)} take={take} />
      {taken && <Outcome taken={taken} />}
      <ul
        ref={list}
        aria-label={t.texts(languageName(language, reader))}
        className="divide-y divide-line"
        hidden={language === ''}
      >
        {shown.map((row) => (
          <TranslationField
            key={row.key}
            words={rowWords(texts, steps[Number(row.path[1])] ?? {}, row, own)}
            {...{ row, own, language, write }}
          />
        ))}
      </ul>
    </div>
  );
}

/** Returns what takes the translations of a file as one change, and what came of the last file. */
function useTaking(document: TextDocument) {
  const [taken, setTaken] = useState<Taken>();
  const take = async (file: File): Promise<void> => {
    const result = await takeTranslations(file, () => document.text);
    if ('text' in result) document.change(result.text);
    setTaken(result);
  };
  return { taken, take: (file: File) => void take(file), forget: () => setTaken(undefined) };
}

/** Returns what undoes and redoes, and says so. `changed` returns the key of the text that is then shown. */
function useShowingHistory(
  document: TextDocument,
  root: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
  changed: () => string | undefined,
) {
  const { steps: t } = useTexts();
  const [done, setDone] = useState<{ what: 'undo' | 'redo'; key: string | undefined }>();
  const history = useHistory(document, root, (what) => setDone({ what, key: changed() }));
  useEffect(() => {
    if (done?.key === undefined) return;
    list.current?.querySelector(`[data-key="${CSS.escape(done.key)}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [list, done]);
  return { ...history, said: done && (done.what === 'undo' ? t.undone : t.redone) };
}

/** Shows the first translation of a step when the list is opened. */
function useOpened(list: RefObject<HTMLElement | null>, step: number | undefined): void {
  const [opened] = useState(step);
  useEffect(() => {
    if (opened === undefined) return;
    const field = list.current?.querySelector<HTMLElement>(`[data-step="${opened}"] textarea`);
    field?.scrollIntoView({ block: 'center' });
    field?.focus({ preventScroll: true });
  }, [list, opened]);
}

/** Returns the definition, and the table of its texts with the languages that were added. */
function useTable({ text, original, languages: { added } }: Props) {
  const before = useMemo(() => (original === undefined ? undefined : definitionIn(original)), [original]);
  const definition = useMemo(() => definitionIn(text), [text]);
  const table = useMemo(() => translationTable(definition, before, added), [definition, before, added]);
  const tableOf = (other: string): TranslationTable => translationTable(definitionIn(other), before, added);
  return { definition, table, tableOf };
}

/** Returns the rows that are shown: all, or those that were not done since the others were hidden. */
function useOpenOnly(rows: TranslationTable['rows'], language: string) {
  const [isOn, setOn] = useState(false);
  // With the first character a text is done. It stays until the rest is typed.
  const open = useMemo(() => new Set<string>(), [isOn, language]);
  for (const { key, wordings } of rows) if (wordings[language]?.state !== 'done') open.add(key);
  return { isOn, setOn, shown: isOn ? rows.filter(({ key }) => open.has(key)) : rows };
}

function Progress({ table: { languages, rows, progress } }: { table: TranslationTable }) {
  const { translations: t } = useTexts();
  const { language } = useLanguage();
  const said = (one: string): string => t.done(languageName(one, language), rows.length, progress[one] ?? {});
  return (
    <ul aria-label={t.progress} className="flex flex-wrap gap-x-6 gap-y-1">
      {languages.map((one) => (
        <li key={one}>{said(one)}</li>
      ))}
      {languages.length === 0 && <li className="text-quiet">{t.noLanguage}</li>}
    </ul>
  );
}

function OpenOnly({ isOn, set }: { isOn: boolean; set(isOn: boolean): void }) {
  const { translations: t } = useTexts();
  return (
    <label className="flex min-h-8 items-center gap-2">
      <input
        type="checkbox"
        className="size-4"
        checked={isOn}
        onChange={({ target }) => set(target.checked)}
      />
      {t.onlyOpen}
    </label>
  );
}

interface ChoiceProps {
  languages: readonly string[];
  /** The one that is shown. */
  language: string;
  choose(tag: string): void;
  add(tag: string): void;
}

function LanguageChoice({ languages, language, choose, add }: ChoiceProps) {
  const { translations: t } = useTexts();
  const { language: reader } = useLanguage();
  return (
    <div className="flex flex-wrap items-end gap-3">
      {languages.length > 0 && (
        <SelectField
          label={t.language}
          value={language}
          options={languages.map((one) => ({ value: one, label: languageName(one, reader) }))}
          onChange={choose}
        />
      )}
      <AddLanguage add={add} />
    </div>
  );
}

function AddLanguage({ add }: { add(tag: string): void }) {
  const { translations: t } = useTexts();
  const { language } = useLanguage();
  const listId = useId();
  const [tag, setTag] = useState('');
  const isTag = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(tag);
  return (
    <form
      {...(tag !== '' && ownHistory)}
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isTag) return;
        add(tag);
        setTag('');
      }}
    >
      <TextField
        label={t.newLanguage}
        value={tag}
        list={listId}
        onChange={setTag}
        spellCheck={false}
        className="w-40"
      />
      <datalist id={listId}>
        {languageOptions(language).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </datalist>
      <Button type="submit" disabled={!isTag}>
        {t.add}
      </Button>
    </form>
  );
}
