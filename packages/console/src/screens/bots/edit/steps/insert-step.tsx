import { inputTypes, questionKind, stepKinds } from '@parley/bot/editing/forms';
import { newStep } from '@parley/bot/editing/new-values';
import { declareKey, freeId, insertStep } from '@parley/bot/editing/steps';
import { useLanguage, useTexts } from '../../../../texts/texts.tsx';
import { Modal } from '../../../../ui/forms/dialog.tsx';
import { useEditing, useFirstWords, useOutline } from './fields/editing.tsx';
import { kindWords } from './fields/outline.ts';
import { typeTitle } from './fields/type-titles.ts';

interface Props {
  /** The index that the new step gets. */
  index: number;
  close(): void;
  onInserted(index: number): void;
}

/** Asks which step is inserted. A question is chosen by the type of its answer. */
export function InsertStep({ index, close, onInserted }: Props) {
  const { steps: t } = useTexts();
  const { language } = useLanguage();
  const { schema, change } = useEditing();
  const { steps } = useOutline();
  const say = useFirstWords();
  const insert = (chosen: { kind: string; mode?: string; type?: string }): void => {
    const id = freeId(steps, chosen.type ?? chosen.mode ?? chosen.kind);
    const step = newStep(schema, chosen, id, say);
    const isQuestion = chosen.type !== undefined;
    change((text) => {
      const added = insertStep(text, index, isQuestion ? { ...step, evaluation: id } : step);
      return isQuestion ? declareKey(added, id) : added;
    });
    close();
    onInserted(index);
  };
  const types = inputTypes(schema).map((type) => ({ type, words: typeTitle(type, language) }));
  return (
    <Modal title={t.insertTitle} close={close}>
      <h3 className="mb-2 font-medium">{t.questions}</h3>
      <ul className="mb-4 grid gap-2 sm:grid-cols-2">
        {types
          .toSorted((one, other) => one.words.localeCompare(other.words))
          .map(({ type, words }) => (
            <li key={type}>
              <Choice words={words} choose={() => insert({ kind: questionKind(schema), type })} />
            </li>
          ))}
      </ul>
      <h3 className="mb-2 font-medium">{t.otherSteps}</h3>
      <ul className="grid gap-2 sm:grid-cols-2">
        {stepKinds(schema)
          .filter(({ kind }) => kind !== questionKind(schema))
          .map((one) => (
            <li key={`${one.kind} ${one.mode}`}>
              <Choice
                words={kindWords(t, one)}
                about={t.kindsAbout[one.mode ?? one.kind]}
                choose={() => insert(one)}
              />
            </li>
          ))}
      </ul>
    </Modal>
  );
}

function Choice({ words, about, choose }: { words: string; about?: string | undefined; choose(): void }) {
  return (
    <button
      type="button"
      onClick={choose}
      className="h-full w-full rounded-md border border-strong-line p-2.5 text-left hover:bg-raised"
    >
      <span className="block font-medium">{words}</span>
      {about !== undefined && <span className="block text-xs text-quiet">{about}</span>}
    </button>
  );
}
