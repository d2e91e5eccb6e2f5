import { routes } from '../../../services/gateway/src/routes.ts';
import { boundsOf, labelsOf } from './known-metrics.ts';
import { type Matcher, parseQuery, type Query } from './promql.ts';

/** Returns what is wrong with a query: syntax, and names that do not exist. `shown` are labels that its user shows. */
export function faultsOf(expr: string, shown: string[] = []): string[] {
  let query: Query;
  try {
    query = parseQuery(expr);
  } catch (error) {
    return [(error as Error).message];
  }
  const { selectors, groupings, created } = query;
  const metrics = selectors.map(({ metric }) => metric);
  const known = (names: string[]): string[] => [...names.flatMap((name) => labelsOf(name) ?? []), ...created];
  const used = [
    ...selectors.flatMap(({ metric, matchers }) =>
      matchers.map(({ label }) => ({ label, metrics: [metric] })),
    ),
    ...groupings,
  ];
  return [
    ...metrics.filter((metric) => !labelsOf(metric)).map((metric) => `no metric ${metric}`),
    ...used
      .filter(({ label, metrics }) => !known(metrics).includes(label))
      .map(({ label, metrics }) => `no label ${label} of ${metrics.join(', ')}`),
    ...shown.filter((label) => !known(metrics).includes(label)).map((label) => `no label ${label} to show`),
    ...selectors.flatMap(({ metric, matchers }) =>
      matchers.flatMap((matcher) => [
        ...(isOfNoRoute(matcher) ? [`no route ${matcher.value}`] : []),
        ...(isOfNoBucket(metric, matcher) ? [`no bucket ${matcher.value} of ${metric}`] : []),
      ]),
    ),
  ];
}

function isOfNoRoute({ label, operator, value }: Matcher): boolean {
  const pattern = operator.endsWith('~') ? new RegExp(`^(?:${value})$`) : undefined;
  return (
    label === 'http_route' && !routes.some(({ path }) => (pattern ? pattern.test(path) : path === value))
  );
}

/** A value is one spelling of a bound, or several with a bar in between. */
const isOfNoBucket = (metric: string, { label, value }: Matcher): boolean =>
  label === 'le' && !value.split('|').every((bound) => boundsOf(metric)?.includes(Number(bound)));
