import { isJsonObject } from '@parley/runtime/json/json-object';
import { Environment } from '@marcbachmann/cel-js';
import {
  argumentsOfHas,
  comparedTexts,
  fieldOf,
  isNode,
  type Node,
  nodesOf,
} from '../expressions/cel-tree.ts';
import { templateReferences } from '../text/template.ts';
import { isField } from './conditions.ts';
import type { Path } from './json-edits.ts';

/** A string of a definition that can name a step. `path` is its place. */
interface Place {
  path: Path;
  /** `key`: an answer or a computed value that is kept in the evaluation. */
  kind: 'way' | 'expression' | 'text' | 'key';
  source: string;
}

/** A place where a definition refers to a step. */
export interface Reference extends Place {
  /** The index of the step that refers to it. */
  step: number;
}

/** A name by which a definition refers to a step, to what a step produces, or to the context. */
export interface Name {
  of: 'steps' | 'answers' | 'evaluation' | 'context';
  name: string;
}

/** What a variable of expressions and texts has the names of. */
const namespaces: Partial<Record<string, Name['of']>> = {
  answers: 'answers',
  others: 'answers',
  evaluation: 'evaluation',
  context: 'context',
};

const syntax = new Environment({ unlistedVariablesAreDyn: true });

/** Returns the names by which a definition can refer to a step. Faulty parts are left out. */
export function namesOf({ id, kind, saveAs, evaluation }: Record<string, unknown>): Name[] {
  const answer = kind === 'ask' ? id : kind === 'llm' ? saveAs : undefined;
  const keys = isJsonObject(evaluation) ? Object.keys(evaluation) : [evaluation];
  const names: [Name['of'], unknown][] = [
    ['steps', id],
    ['answers', answer],
    ...keys.map((key): [Name['of'], unknown] => ['evaluation', key]),
  ];
  return names.flatMap(([of, name]) => (typeof name === 'string' ? [{ of, name }] : []));
}

/** Returns where steps of a definition use one of the names. Faulty parts are left out. */
export function referencesTo(definition: unknown, names: readonly Name[]): Reference[] {
  return placesOf(definition).filter(
    (place) => !names.every((name) => renamed(place, name, `${name.name}x`) === place.source),
  );
}

/** Returns all strings of a definition that can name a step or a value. Faulty parts are left out. */
export function placesOf(definition: unknown): Reference[] {
  return stepsIn(definition).flatMap((step, index) =>
    placesIn(step).map((place) => ({ ...place, path: ['steps', index, ...place.path], step: index })),
  );
}

/** Returns the names of values in a place, such as `answers.score`, and the texts that it compares with a value. */
export function namedIn({ kind, source }: Pick<Place, 'kind' | 'source'>): {
  names: string[];
  compared: { field: string; text: string }[];
} {
  if (kind === 'text') {
    const names = templateReferences(source).references.map((found) => `${found.source}.${found.name}`);
    return { names, compared: [] };
  }
  const tree = kind === 'expression' ? treeOf(source) : undefined;
  const nodes = nodesOf(tree);
  // `'x' in answers`, and `'choice' in answers.x`.
  const inside = nodes.flatMap(({ op, args }) => {
    const [text, of]: unknown[] = op === 'in' && Array.isArray(args) ? args : [];
    const field = isNode(of) ? fieldOf(of) : undefined;
    return isNode(text) && typeof text.args === 'string' && field !== undefined
      ? [{ field, text: text.args }]
      : [];
  });
  return {
    names: [
      ...nodes.flatMap((node) => fieldOf(node) ?? []),
      ...inside.map(({ field, text }) => `${field}.${text}`),
    ],
    compared: [...comparedTexts(tree).filter(({ how }) => how === '=='), ...inside],
  };
}

/** Returns the source of a reference with another name. */
export function renamed({ kind, source }: Pick<Place, 'kind' | 'source'>, from: Name, to: string): string {
  if (kind === 'key') return source;
  if (kind === 'way') return from.of === 'steps' && source === from.name ? to : source;
  return kind === 'text' ? renamedInText(source, from, to) : renamedInExpression(source, from, to);
}

/** Returns whether an expression asks whether there is a value of a name: `has` takes no name that is no field. */
export function asksFor({ kind, source }: Pick<Place, 'kind' | 'source'>, name: Name): boolean {
  const tree = kind === 'expression' ? treeOf(source) : undefined;
  return argumentsOfHas(tree).some(([start, end]) => {
    const tested = source.slice(start, end);
    return renamedInExpression(tested, name, `${name.name}x`) !== tested;
  });
}

export function stepsIn(definition: unknown): Record<string, unknown>[] {
  const steps = memberOf(definition, 'steps');
  return Array.isArray(steps) ? steps.map((step: unknown) => (isJsonObject(step) ? step : {})) : [];
}

function placesIn(step: Record<string, unknown>): Place[] {
  const found: Place[] = [];
  const add = (kind: Place['kind'], path: Path): void => {
    const source = path.reduce<unknown>((value, name) => memberOf(value, name), step);
    if (typeof source === 'string') found.push({ kind, path, source });
    else if (kind === 'text' && isJsonObject(source))
      for (const tag of Object.keys(source)) add(kind, [...path, tag]);
  };
  add('way', ['next']);
  add('way', ['retry', 'goto']);
  add('way', ['onError', 'goto']);
  add('expression', ['when']);
  if (Array.isArray(step['next'])) {
    step['next'].forEach((_arm, index) => {
      add('expression', ['next', index, 'if']);
      add('way', ['next', index, 'goto']);
      add('way', ['next', index, 'else']);
    });
  }
  if (step['kind'] === 'set' && isJsonObject(step['evaluation']))
    for (const key of Object.keys(step['evaluation'])) add('expression', ['evaluation', key]);
  for (const path of [['text'], ['prompt'], ['prefill'], ['retry', 'text']]) add('text', path);
  return found;
}

function renamedInText(source: string, from: Name, to: string): string {
  return source.replaceAll(
    /(\{\{\s*(answers|evaluation|context)\.)([A-Za-z][A-Za-z0-9_-]*)/g,
    (whole, before: string, of: string, name: string) =>
      of === from.of && name === from.name ? before + to : whole,
  );
}

/** An expression that cannot be read stays as it is. */
function renamedInExpression(source: string, from: Name, to: string): string {
  const isOf = (node: Node): boolean => namespaces[fieldOf(node) ?? ''] === from.of;
  const spans = nodesOf(treeOf(source)).flatMap((node): [number, number, string][] => {
    const { op, args, end = 0 } = node;
    const [of, by]: unknown[] = Array.isArray(args) ? args : [];
    if (!isNode(of)) return [];
    if (op === 'in') {
      const [name, variable] = [of, by];
      const isNamed = isNode(variable) && isOf(variable) && name.args === from.name;
      return isNamed ? [[name.start ?? 0, name.end ?? 0, `'${to}'`]] : [];
    }
    if (of.op !== 'id' || !isOf(of)) return [];
    if (op === '.' && by === from.name) {
      const isPlain = isField(to);
      return [[isPlain ? end - from.name.length : (of.end ?? 0), end, isPlain ? to : `['${to}']`]];
    }
    const isIndex = op === '[]' && isNode(by) && by.args === from.name;
    return isIndex ? [[by.start ?? 0, by.end ?? 0, `'${to}'`]] : [];
  });
  return spans
    .toSorted(([one], [other]) => other - one)
    .reduce((text, [begin, end, name]) => text.slice(0, begin) + name + text.slice(end), source);
}

function treeOf(source: string): unknown {
  try {
    return syntax.parse(source).ast;
  } catch {
    return undefined;
  }
}

function memberOf(value: unknown, name: string | number): unknown {
  if (Array.isArray(value)) return typeof name === 'number' ? value[name] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[String(name)] : undefined;
}
