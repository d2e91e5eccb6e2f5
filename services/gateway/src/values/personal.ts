import type { PersonalFields } from '@parley/contracts/personal-fields';

declare const value: unique symbol;

/** A personal value of a service's answer. Only what takes a `Reader` opens it (`reader.ts`). */
export interface Personal<Value> {
  readonly [value]: Value;
}

type FieldsOf<Message, Entry> = Entry extends { message: infer Known; fields: infer Fields }
  ? [Message, Known] extends [Known, Message]
    ? Fields
    : never
  : never;

/** A message whose personal fields are sealed, in nested messages too. */
export type Sealed<Message> = Message extends Date | Uint8Array
  ? Message
  : Message extends (infer Item)[]
    ? Sealed<Item>[]
    : Message extends object
      ? {
          [Field in keyof Message]: Field extends FieldsOf<Message, PersonalFields[keyof PersonalFields]>
            ? Personal<Message[Field]>
            : Sealed<Message[Field]>;
        }
      : Message;

/** `Shown`, if nothing in it is sealed: what an answer may have. Otherwise no value fits. */
export type Open<Shown> =
  Shown extends Personal<unknown>
    ? never
    : Shown extends object
      ? { [Field in keyof Shown]: Open<Shown[Field]> }
      : Shown;
