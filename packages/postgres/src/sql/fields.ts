/**
 * Returns the fields of a generated message as a select list. No private column can leak and no new field can be
 * forgotten. `except` names the fields without a column.
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
