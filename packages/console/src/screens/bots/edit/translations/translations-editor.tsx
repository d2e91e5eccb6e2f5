import { type TranslationTable, translationTable } from '@parley/bot/translations/table';
import { setTranslation } from '@parley/bot/translations/translate';
import { Download } from 'lucide-react';
import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useLanguage, useTexts } from '../../../../texts/texts.tsx';
import { Button } from '../../../../ui/forms/button.tsx';
import { SelectField, TextField } from '../../../../ui/forms/field.tsx';
import { saveFile } from '../../../../ui/forms/save-file.ts';
import { definitionIn } from '../draft/begin.ts';
import { languageName, languageOptions } from '../steps/fields/languages.ts';
import type { TextDocument } from '../text-document.ts';
import { faultWords, keyIn, type Taken, takeTranslations, translationsFile } from './translation-files.ts';
import { TranslationField } from './translation-field.tsx';

interface Props {
  text: string;
  /** The version to which the text is compared. Undefined while it is loaded. */
  original: string | undefined;
  document: TextDocument;
  /** The step whose first translation gets the focus at first. */
  opened: number | undefined;
}

/** The texts of a bot beside their translations into one language. Every change is one of the definition's text. */
export function TranslationsEditor(props: Props) {
  const { document } = props;
  const { translations: t } = useTexts();
  const { language: reader } = useLanguage();
  const { table, key, add } = useTable(props);
  const [chosen, choose] = useState<string>();
  const [showsOpen, setShowsOpen] = useState(false);
  const [taken, setTaken] = useState<Taken>();
  const list = useRef<HTMLUListElement>(null);
  useOpened(list, props.opened);
  if (!table || table.rows.length === 0) return <p className="p-4">{t.unreadable}</p>;
  const { own, languages, rows } = table;
  const language = chosen !== undefined && languages.includes(chosen) ? chosen : (languages[0] ?? '');
  const shown = showsOpen ? rows.filter(({ wordings }) => wordings[language]?.state !== 'done') : rows;
  const write = (name: string, wording: string): void =>
    document.change(setTranslation(document.text, { key: name, language, text: wording }), {
      isTyping: true,
    });
  const take = async (file: File): Promise<void> => {
    const result = await takeTranslations(file, document.text);
    if ('text' in result) document.change(result.text);
    setTaken(result);
  };
  return (
    <div className="space-y-4 p-4">
      <Progress table={table} />
      <div className="flex flex-wrap items-end gap-3">
        {languages.length > 0 && (
          <SelectField
            label={t.language}
            value={language}
            options={languages.map((one) => ({ value: one, label: languageName(one, reader) }))}
            onChange={choose}
          />
        )}
        <AddLanguage
          add={(tag) => {
            add(tag);
            choose(tag);
          }}
        />
        <OpenOnly isOn={showsOpen} set={setShowsOpen} />
      </div>
      <Files table={table} language={language} botKey={key} take={(file) => void take(file)} />
      {taken && <Outcome taken={taken} />}
      <ul
        ref={list}
        aria-label={t.texts(languageName(language, reader))}
        className="divide-y divide-line"
        hidden={language === ''}
      >
        {shown.map((row) => (
          <TranslationField key={row.key} row={row} own={own} language={language} write={write} />
        ))}
      </ul>
    </div>
  );
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

/** Returns the table of the texts with the languages that were added, and the key of the bot. */
function useTable({ text, original }: Props) {
  const [added, setAdded] = useState<string[]>([]);
  const before = useMemo(() => (original === undefined ? undefined : definitionIn(original)), [original]);
  const definition = useMemo(() => definitionIn(text), [text]);
  const table = useMemo(
    () => definition && translationTable(definition, before, added),
    [definition, before, added],
  );
  return { table, key: keyIn(definition), add: (tag: string) => setAdded([...added, tag]) };
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
    <label className="flex items-center gap-2 py-2">
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

function AddLanguage({ add }: { add(tag: string): void }) {
  const { translations: t } = useTexts();
  const { language } = useLanguage();
  const listId = useId();
  const [tag, setTag] = useState('');
  const isTag = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(tag);
  return (
    <form
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

interface FilesProps {
  table: TranslationTable;
  language: string;
  botKey: string;
  take(file: File): void;
}

function Files({ table, language, botKey, take }: FilesProps) {
  const { translations: t } = useTexts();
  const id = useId();
  const save = (format: 'csv' | 'xliff'): void => {
    const { name, content } = translationsFile(format, table, language, botKey);
    saveFile(name, content);
  };
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Button onClick={() => save('csv')}>
        <Download size={15} aria-hidden="true" />
        {t.saveCsv}
      </Button>
      <Button disabled={language === ''} onClick={() => save('xliff')}>
        <Download size={15} aria-hidden="true" />
        {t.saveXliff}
      </Button>
      <div className="flex min-w-0 flex-col gap-1">
        <label htmlFor={id} className="text-xs font-medium text-quiet">
          {t.takeFile}
        </label>
        <input
          id={id}
          type="file"
          accept=".csv,.xlf,.xliff"
          className="max-w-full text-sm file:mr-3 file:h-9 file:rounded-md file:border file:border-solid file:border-strong-line file:bg-panel file:px-3 file:text-ink"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) take(file);
            // The same file can be chosen again.
            target.value = '';
          }}
        />
      </div>
    </div>
  );
}

/** How many translations that were not taken are listed. */
const faultsMax = 20;

function Outcome({ taken }: { taken: Taken }) {
  const { translations: t } = useTexts();
  if ('fault' in taken) {
    return (
      <p role="alert" className="text-bad">
        {t.fileFaults[taken.fault]}
      </p>
    );
  }
  return (
    <div role="status" className="space-y-1">
      <p>{t.taken(taken.changed)}</p>
      {taken.faults.length > 0 && (
        <ul className="list-disc pl-5 text-bad">
          {taken.faults.slice(0, faultsMax).map((fault) => (
            <li key={`${fault.key} ${fault.language}`}>
              <code className="font-mono text-xs">{fault.key}</code> ({fault.language}):{' '}
              {faultWords(fault, t)}
            </li>
          ))}
          {taken.faults.length > faultsMax && <li>{t.moreFaults(taken.faults.length - faultsMax)}</li>}
        </ul>
      )}
    </div>
  );
}
