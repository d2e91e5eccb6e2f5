import type { ComponentChild } from 'preact';
import type { WidgetLanguage } from '../language/language.ts';
import type { FieldProps, QuestionField } from './question-field.ts';

/** The properties of a field that is loaded. Its file has no context, so it gets the language with them. */
export type LoadedProps = FieldProps & { language: WidgetLanguage };

/** How a type is answered whose code is loaded with its first question. `loaded-fields.ts` lists all of them. */
export interface LoadedType extends Omit<QuestionField, 'Field'> {
  Field(props: LoadedProps): ComponentChild;
  /** The style sheet of the field. */
  css: string;
}

/** Such a type as a file of its own offers it: it renders into an element. */
export interface LoadedField extends Omit<QuestionField, 'Field'> {
  mount(host: HTMLElement, props: LoadedProps): void;
  unmount(host: HTMLElement): void;
}

/** Words by language, as in `ui/strings`. */
export type Words<Key extends string> = Record<'en' | 'de' | 'fr' | 'es' | 'ar', Record<Key, string>>;

export function sayIn<Key extends string>(words: Words<Key>, { ownTag }: Pick<WidgetLanguage, 'ownTag'>) {
  const own = Object.hasOwn(words, ownTag) ? words[ownTag as keyof Words<Key>] : words.en;
  return (key: Key, values: Record<string, string | number> = {}): string =>
    own[key].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}
