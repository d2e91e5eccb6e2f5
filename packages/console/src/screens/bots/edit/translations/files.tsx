import type { TranslationTable } from '@parley/bot/translations/table';
import { Download } from 'lucide-react';
import { useId } from 'react';
import { useTexts } from '../../../../texts/texts.tsx';
import { Button } from '../../../../ui/forms/button.tsx';
import { saveFile } from '../../../../ui/forms/save-file.ts';
import { faultWords, type Taken, translationsFile } from './translation-files.ts';

interface FilesProps {
  table: TranslationTable;
  language: string;
  botKey: string;
  take(file: File): void;
}

/** Saves the table for translators, and takes what they have written. */
export function Files({ table, language, botKey, take }: FilesProps) {
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

/** Says what was taken from a file, and what was not. */
export function Outcome({ taken }: { taken: Taken }) {
  const { translations: t } = useTexts();
  if ('fault' in taken) {
    return (
      <div>
        <p role="alert" className="text-bad">
          {t.fileFaults[taken.fault]}
        </p>
      </div>
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
