import type { Api, Operation } from './api.ts';
import type { Declaration, Field, ObjectType, Type } from './types.ts';

// The intermediate form for languages without types inside types.

/** A declared type. It can be in requests, in answers, or in both. */
export interface FlatDeclaration extends Declaration {
  isSent: boolean;
  isReceived: boolean;
}

/**
 * Every object and every enum of several values is declared, so types have references to them. Operations have a
 * declared body and result.
 */
export interface FlatApi extends Api {
  types: FlatDeclaration[];
  declared: Map<string, FlatDeclaration>;
}

/** Declares the types inside types. Throws if two of them would have one name. */
export function flatten(api: Api): FlatApi {
  const { found, operations } = declareInner(api);
  const bodies = operations.flatMap(({ query, body }) => [...query, ...(body ? [body] : [])]);
  const sent = reach(
    found,
    bodies.map(({ type }) => type),
  );
  const events = api.events.map((name) => `${name}Event`);
  const roots = [...events, 'Failure', 'InteractionHistory', 'ExportedInteraction'];
  const received = reach(found, [
    ...operations.flatMap(({ result }) => typesIn(result)),
    ...roots.map((name): Type => ({ kind: 'ref', name })),
  ]);
  const types = [...found.values()]
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((one) => ({ ...one, isSent: sent.has(one.name), isReceived: received.has(one.name) }));
  return { ...api, operations, types, declared: new Map(types.map((one) => [one.name, one])) };
}

function declareInner(api: Api): { found: Map<string, Declaration>; operations: Operation[] } {
  const found = new Map<string, Declaration>();
  const declare = (one: Declaration): void => {
    const before = found.get(one.name);
    if (before && JSON.stringify(before.type) !== JSON.stringify(one.type))
      throw new Error(`two types are called ${one.name}`);
    if (!before) found.set(one.name, one);
  };
  const objectOf = (type: ObjectType): ObjectType => ({
    ...type,
    fields: type.fields.map(fieldOf),
    ...(type.others && { others: flat(type.others) }),
  });
  const flat = (type: Type, description = ''): Type => {
    switch (type.kind) {
      case 'array':
        return { ...type, items: flat(type.items, description) };
      case 'map':
        return { ...type, values: flat(type.values, description) };
      case 'union':
        return { ...type, of: type.of.map((one) => flat(one, description)) };
      case 'object':
        declare({ name: type.name, description, type: objectOf(type) });
        return { kind: 'ref', name: type.name };
      case 'enum':
        if (type.values.length === 1) return type;
        declare({ name: type.name, description, type });
        return { kind: 'ref', name: type.name };
      default:
        return type;
    }
  };
  const fieldOf = (field: Field): Field => ({ ...field, type: flat(field.type, field.description) });
  for (const one of api.types) {
    const { type } = one;
    // An object declares itself, and an enum of several values.
    const inner = flat(type, one.description);
    if (inner.kind !== 'ref' || inner.name !== one.name) declare({ ...one, type: inner });
  }
  const operations = api.operations.map((one) => ({
    ...one,
    params: one.params.map(fieldOf),
    query: one.query.map(fieldOf),
    ...(one.body && { body: { ...one.body, type: flat(one.body.type) } }),
    result: resultOf(one.result, flat),
  }));
  return { found, operations };
}

function resultOf(result: Operation['result'], flat: (type: Type) => Type): Operation['result'] {
  if (result.kind === 'value') return { ...result, type: flat(result.type) };
  return result.kind === 'list' ? { ...result, item: flat(result.item), meta: flat(result.meta) } : result;
}

function typesIn(result: Operation['result']): Type[] {
  if (result.kind === 'value') return [result.type];
  return result.kind === 'list' ? [result.item, result.meta] : [];
}

/** Returns the names of all declared types in the given ones. */
function reach(declared: Map<string, Declaration>, roots: Type[]): Set<string> {
  const names = new Set<string>();
  const queue = [...roots];
  for (let next = queue.pop(); next; next = queue.pop()) {
    for (const part of partsOf(next)) {
      if (part.kind !== 'ref' || names.has(part.name)) continue;
      names.add(part.name);
      const { type } = declared.get(part.name) ?? {};
      if (type) queue.push(type);
    }
  }
  return names;
}

/** Returns the type and all types inside it. A reference has none. */
function partsOf(type: Type): Type[] {
  if (type.kind === 'array') return [type, ...partsOf(type.items)];
  if (type.kind === 'map') return [type, ...partsOf(type.values)];
  if (type.kind === 'union') return [type, ...type.of.flatMap(partsOf)];
  if (type.kind !== 'object') return [type];
  return [
    type,
    ...type.fields.flatMap((field) => partsOf(field.type)),
    ...(type.others ? partsOf(type.others) : []),
  ];
}
