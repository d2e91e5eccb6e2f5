/**
 * The fields of a generated message, for use as a select list: a private column cannot leak through it and a new field
 * cannot be forgotten. `except` names those that no column holds.
 */
export function fieldsOf<Message extends object, const Except extends keyof Message & string = never>(
  codec: { decode(bytes: Uint8Array): Message },
  except: readonly Except[] = [],
): Exclude<keyof Message & string, Except>[] {
  const all = Object.keys(codec.decode(new Uint8Array())) as (keyof Message & string)[];
  return all.filter(
    (field): field is Exclude<keyof Message & string, Except> => !except.some((name) => name === field),
  );
}
