import { AppError, invalidRequest } from '@parley/runtime/errors';
import { splitMembers } from '@parley/runtime/json/json-scan';

/** The fields of a body that are not part of a definition. */
const ownFields = ['restore', 'publishDraft', 'expectedVersion', 'note'];

type Publication = Readonly<Record<string, unknown>>;

/** The fields of which a body has one, instead of being a definition itself. */
const sources = ['definition', 'restore', 'publishDraft'];

/**
 * Returns the text of the definition in a body, byte for byte: the value of `definition`, or the body without its other
 * fields. Empty for a body that restores a version or publishes the draft. 400 for a body with two of them.
 */
export function definitionIn(body: Publication, text: string): string {
  const [source, second] = sources.filter((name) => body[name] !== undefined);
  const known = source === undefined ? ownFields : [...ownFields, 'definition'];
  const others = Object.keys(body).filter((name) => !known.includes(name));
  if (known !== ownFields && others.length > 0) {
    throw invalidRequest(
      others.map((name) => ({ pointer: `/${name}`, detail: `Is not allowed beside ${source}` })),
    );
  }
  if (second !== undefined) {
    throw invalidRequest([{ pointer: `/${second}`, detail: `Is not allowed beside ${source}` }]);
  }
  if (source !== undefined && source !== 'definition') return '';
  const members = splitMembers(text);
  if (source) return members.find(({ name }) => name === 'definition')?.value ?? '';
  const own = members.filter(({ name }) => ownFields.includes(name));
  if (own.length === 0) return text;
  const kept = members.filter((member) => !own.includes(member));
  return `{${kept.map((member) => member.text).join(',')}}`;
}

/** Returns the error with the places of its faults in the body. The service names places in the definition. */
export function pointerInBody(error: unknown, body: Publication): unknown {
  if (body['definition'] === undefined || !(error instanceof AppError) || !error.faults) return error;
  return invalidRequest(
    error.faults.map(({ pointer, detail }) => ({ pointer: `/definition${pointer}`, detail })),
  );
}
