import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import type { Schema } from '@parley/bot/editing/forms';

/** How long completing may wait for the rest of a text. */
const parseMsMax = 500;

/** The properties whose values are ids of steps. */
const references = new Set(['next', 'goto', 'else']);

/**
 * Returns a source of completions for JSON of a schema: the names of properties that an object lacks, the values that a
 * property can have, and the ids of steps where one follows. `schema` is undefined until it is loaded.
 */
export function completeBy(schema: () => Schema | undefined) {
  return ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const root = schema();
    if (!root) return null;
    const node = treeOf(state).resolveInner(pos, -1);
    const isText = node.name === 'String' || node.name === 'PropertyName';
    if (!isText && !explicit) return null;
    const from = isText ? node.from : pos;
    const to = isText ? node.to : pos;
    const property = node.name === 'Property' ? node : propertyAt(node);
    const options =
      node.name === 'Object' || node.name === 'PropertyName'
        ? namesFor(root, state, node)
        : valuesFor(root, state, property, node);
    return options.length > 0 ? { from, to, options } : null;
  };
}

/** Returns the property whose value is at a node, or is missing there. */
function propertyAt(node: SyntaxNode): SyntaxNode | null {
  const { parent } = node;
  if (node.name === 'PropertyName') return null;
  if (parent?.name === 'Property') return parent;
  return node.name === '⚠' && parent ? propertyAt(parent) : null;
}

function namesFor(root: Schema, state: EditorState, node: SyntaxNode): Completion[] {
  const object = node.name === 'Object' ? node : node.parent?.parent;
  if (object?.name !== 'Object') return [];
  const own = node.name === 'PropertyName' ? textOf(state, node) : undefined;
  const present = new Set(propertiesOf(object).map((property) => nameOf(state, property)));
  const { nextSibling } = node;
  const hasValue = own !== undefined && nextSibling !== null && nextSibling.name !== '⚠';
  const found = new Map<string, Completion>();
  for (const { properties = {}, required = [] } of schemasAt(root, state, object)) {
    for (const [name, schema] of Object.entries(properties)) {
      if (!schema || found.has(name) || (present.has(name) && name !== own)) continue;
      const isRequired = required.includes(name);
      found.set(name, {
        label: `"${name}"`,
        apply: hasValue ? `"${name}"` : `"${name}": ${valueText(root, schema)}`,
        type: 'property',
        ...(isRequired && { boost: 1 }),
        ...descriptionOf(root, schema),
      });
    }
  }
  return [...found.values()];
}

function valuesFor(
  root: Schema,
  state: EditorState,
  property: SyntaxNode | null,
  node: SyntaxNode,
): Completion[] {
  const name = property ? nameOf(state, property) : undefined;
  if (name !== undefined && references.has(name)) return stepIds(state).map(optionOf);
  const schemas = property
    ? schemasAt(root, state, property)
    : node.parent?.name === 'Array'
      ? schemasAt(root, state, node.parent).flatMap(({ items }) => (items ? [items] : []))
      : [];
  const values = schemas.flatMap((schema) => concrete(root, schema)).flatMap(valuesOf);
  return [...new Set(values.map((value) => JSON.stringify(value)))].map((text) => optionOf(JSON.parse(text)));
}

function optionOf(value: unknown): Completion {
  return { label: JSON.stringify(value), type: 'constant' };
}

function valuesOf({ type, const: fixed, enum: all = [] }: Schema): unknown[] {
  if (type === 'boolean') return [true, false];
  return fixed === undefined ? all : [fixed];
}

/** Returns the schemas that a value of the document can have, by what is there already. */
function schemasAt(root: Schema, state: EditorState, node: SyntaxNode): Schema[] {
  const { parent } = node;
  if (node.name === 'Property') {
    const name = nameOf(state, node);
    return parent ? schemasAt(root, state, parent).flatMap((schema) => memberOf(schema, name)) : [];
  }
  const above = !parent || parent.name === 'JsonText' ? [root] : schemasIn(root, state, parent);
  const possible = above.flatMap((schema) => concrete(root, schema));
  if (node.name !== 'Object') return possible.filter(({ type }) => type === 'array');
  const known = constantsOf(state, node);
  const fitting = possible.filter((schema) => schema.properties && isPossible(schema, known));
  // A value of another kind, such as one that is being typed, says nothing.
  return fitting.length > 0 ? fitting : possible.filter(({ properties }) => properties);
}

function schemasIn(root: Schema, state: EditorState, parent: SyntaxNode): Schema[] {
  if (parent.name === 'Property') return schemasAt(root, state, parent);
  if (parent.name !== 'Array') return [];
  return schemasAt(root, state, parent).flatMap(({ items }) => (items ? [items] : []));
}

function memberOf({ properties = {}, additionalProperties: other }: Schema, name: string): Schema[] {
  const member = Object.hasOwn(properties, name) ? properties[name] : other;
  return typeof member === 'object' ? [member] : [];
}

/** Follows references, and replaces a choice by what can be chosen. */
function concrete(root: Schema, schema: Schema): Schema[] {
  const { $ref, anyOf, oneOf } = schema;
  if ($ref !== undefined) {
    const target = root.$defs?.[$ref.replace('#/$defs/', '')];
    return target ? concrete(root, target) : [];
  }
  const choices = anyOf ?? oneOf;
  return choices ? choices.flatMap((choice) => concrete(root, choice)) : [schema];
}

/** Returns whether the constants of a schema fit the strings that an object has. */
function isPossible({ properties = {} }: Schema, known: Map<string, string>): boolean {
  return [...known].every(([name, value]) => {
    const { const: fixed, enum: all } = properties[name] ?? {};
    if (fixed !== undefined) return fixed === value;
    return all === undefined || all.includes(value);
  });
}

/** Returns the strings that say of which kind an object is. */
function constantsOf(state: EditorState, object: SyntaxNode): Map<string, string> {
  const found = new Map<string, string>();
  for (const property of propertiesOf(object)) {
    const value = property.lastChild;
    const name = nameOf(state, property);
    if (value?.name === 'String' && (name === 'kind' || name === 'type'))
      found.set(name, textOf(state, value));
  }
  return found;
}

/** Returns the whole tree. The editor itself parses for a few milliseconds only. */
function treeOf(state: EditorState) {
  return ensureSyntaxTree(state, state.doc.length, parseMsMax) ?? syntaxTree(state);
}

function stepIds(state: EditorState): string[] {
  const steps = memberNode(state, treeOf(state).topNode.firstChild, 'steps');
  return (steps?.getChildren('Object') ?? []).flatMap((step) => {
    const id = memberNode(state, step, 'id');
    return id?.name === 'String' ? [textOf(state, id)] : [];
  });
}

function memberNode(state: EditorState, object: SyntaxNode | null, name: string): SyntaxNode | null {
  const property = object && propertiesOf(object).find((one) => nameOf(state, one) === name);
  return property?.lastChild ?? null;
}

function propertiesOf(object: SyntaxNode): SyntaxNode[] {
  return object.getChildren('Property');
}

function nameOf(state: EditorState, property: SyntaxNode): string {
  const name = property.getChild('PropertyName');
  return name ? textOf(state, name) : '';
}

/** Returns the text of a string, also of a string that has no end yet. */
function textOf(state: EditorState, { from, to }: SyntaxNode): string {
  return state.sliceDoc(from, to).replace(/^"|"$/g, '');
}

/** Returns the beginning of a value, for a property that has none. */
function valueText(root: Schema, schema: Schema): string {
  const [first, ...others] = concrete(root, schema);
  if (others.length === 0 && first?.const !== undefined) return JSON.stringify(first.const);
  return { string: '""', array: '[]', object: '{}' }[first?.type ?? ''] ?? '';
}

function descriptionOf(root: Schema, schema: Schema): { info?: string } {
  const named = schema.$ref === undefined ? undefined : root.$defs?.[schema.$ref.replace('#/$defs/', '')];
  const info = schema.description ?? named?.description;
  return info === undefined ? {} : { info };
}
