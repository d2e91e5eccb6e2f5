import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';

/** A condition on a label, such as `job=~"parley-.+"`. */
export interface Matcher {
  label: string;
  operator: string;
  value: string;
}

interface Selector {
  metric: string;
  matchers: Matcher[];
}

export interface Query {
  selectors: Selector[];
  /** Labels that the query groups or matches by, each with the metrics to which they apply. */
  groupings: { label: string; metrics: string[] }[];
  /** Labels that `label_replace` creates. */
  created: string[];
}

/** Parses a PromQL query. Throws with the place of a syntax error. */
export function parseQuery(text: string): Query {
  const textOf = ({ from, to }: { from: number; to: number }): string => text.slice(from, to);
  const below = (node: SyntaxNode, name: string): SyntaxNode[] => {
    const found: SyntaxNode[] = [];
    node.cursor().iterate((each) => {
      if (each.type.isError) throw new Error(`syntax error at ${each.from}: ${text.slice(each.from)}`);
      if (each.name === name) found.push(each.node);
    });
    return found;
  };
  const unquote = (node: SyntaxNode | null): string =>
    node ? textOf(node).slice(1, -1).replaceAll('\\\\', '\\') : '';

  const selectorsOf = (node: SyntaxNode): Selector[] =>
    below(node, 'VectorSelector').flatMap((selector) => {
      const matchers = below(selector, 'UnquotedLabelMatcher').map((matcher) => ({
        label: textOf(matcher.getChild('LabelName') ?? matcher),
        operator: textOf(matcher.getChild('MatchOp') ?? matcher),
        value: unquote(matcher.getChild('StringLiteral')),
      }));
      const identifier = selector.getChild('Identifier');
      const named = matchers
        .filter(({ label }) => label === '__name__')
        .flatMap(({ value }) => value.split('|'));
      const others = matchers.filter(({ label }) => label !== '__name__');
      return (identifier ? [textOf(identifier)] : named).map((metric) => ({ metric, matchers: others }));
    });

  const root = parser.parse(text).topNode;
  const selectors = selectorsOf(root);
  const groupings = below(root, 'GroupingLabels').flatMap((labels) => {
    const scope = labels.parent?.parent ?? root;
    const metrics = selectorsOf(scope).map(({ metric }) => metric);
    return below(labels, 'LabelName').map((label) => ({ label: textOf(label), metrics }));
  });
  const created = below(root, 'LabelReplace').map((word) => {
    const call = word.parent?.parent;
    return unquote(call?.getChild('FunctionCallBody')?.getChild('StringLiteral') ?? null);
  });
  return { selectors, groupings, created };
}
