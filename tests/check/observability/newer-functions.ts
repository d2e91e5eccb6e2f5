import data, { type CompatStatement, type SimpleSupportStatement } from '@mdn/browser-compat-data';
import { type AnyNode, type MemberExpression, parse } from 'acorn';

/** The oldest version of each browser. */
type Browsers = Record<string, string>;

/** A function or property of the web platform or of JavaScript. */
interface Feature {
  /** The object that has it, such as `URL`. */
  owner: string;
  support: CompatStatement['support'];
}

/**
 * Returns the functions and properties in modules that one of the browsers does not have yet, as `URL.canParse` or
 * `.union`. A name that several objects have counts as newer only if it is newer in all of them. Names of the modules'
 * own objects do not count.
 */
export function newerFunctionsIn(modules: string[], oldest: Browsers): string[] {
  const features = featuresByName();
  const nodes = modules.flatMap((module) =>
    nodesIn(parse(module, { ecmaVersion: 'latest', sourceType: 'module' })),
  );
  const ownNames = new Set(nodes.flatMap(declaredName));
  const found = nodes.filter(isNamedMember).flatMap(({ object, property }) => {
    const { name } = property;
    const all = features.get(name) ?? [];
    const owner = object.type === 'Identifier' ? object.name : '';
    const own = all.filter((feature) => feature.owner === owner);
    const meant = own.length > 0 ? own : all;
    if (meant.length === 0 || !meant.every(({ support }) => isNewer(support, oldest))) return [];
    if (own.length > 0) return [`${owner}.${name}`];
    return ownNames.has(name) ? [] : [`.${name}`];
  });
  return [...new Set(found)].toSorted();
}

function nodesIn(value: unknown): AnyNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(nodesIn);
  return 'type' in value ? [value as AnyNode, ...inside] : inside;
}

type NamedMember = MemberExpression & { property: { type: 'Identifier'; name: string } };

function isNamedMember(node: AnyNode): node is NamedMember {
  return node.type === 'MemberExpression' && !node.computed && node.property.type === 'Identifier';
}

function declaredName(node: AnyNode): string[] {
  if (node.type === 'AssignmentExpression' && isNamedMember(node.left)) return [node.left.property.name];
  const isKey = node.type === 'Property' || node.type === 'MethodDefinition';
  return isKey && node.key.type === 'Identifier' ? [node.key.name] : [];
}

function featuresByName(): Map<string, Feature[]> {
  const features = new Map<string, Feature[]>();
  const visit = (owner: string, members: Record<string, unknown>): void => {
    for (const [key, member] of Object.entries(members)) {
      if (key === '__compat' || typeof member !== 'object' || !member) continue;
      const { __compat: compat } = member as { __compat?: CompatStatement };
      const name = key.replace(/_static$/, '');
      if (compat) features.set(name, [...(features.get(name) ?? []), { owner, support: compat.support }]);
      visit(name, { ...member });
    }
  };
  visit('', { ...data.api });
  visit('', { ...data.javascript.builtins });
  return features;
}

function isNewer(support: CompatStatement['support'], oldest: Browsers): boolean {
  return Object.entries(oldest).some(([browser, version]) => {
    const statements = [support[browser as 'chrome'] ?? []].flat();
    return !statements.some((statement) => hasBy(statement, Number(version)));
  });
}

function hasBy({ version_added: added, flags, prefix }: SimpleSupportStatement, version: number): boolean {
  if (flags || prefix || typeof added !== 'string') return false;
  return Number(added.replace('≤', '')) <= version;
}
