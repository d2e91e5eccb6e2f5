import { globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parse } from 'yaml';

export const folder = resolve(import.meta.dirname, '../../../deploy/observability');

/** A rule of Prometheus: an alert or a recording rule. */
export interface Rule {
  alert?: string;
  record?: string;
  expr: string;
  for?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

interface RuleTest {
  alert_rule_test?: {
    alertname: string;
    exp_alerts?: { exp_labels: Record<string, string> }[];
  }[];
}

const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const list = (pattern: string): string[] => globSync(pattern, { cwd: folder }).toSorted();

export const ruleFiles = list('rules/*.yaml');
export const testFiles = list('tests/*.yaml');
/** Their paths, in a folder for each subject. */
export const runbooks = list('runbooks/*/*.md');

export const rules = ruleFiles.flatMap((path) =>
  (parse(read(path), { merge: true }) as { groups: { rules: Rule[] }[] }).groups.flatMap(
    (group) => group.rules,
  ),
);
export const ruleTests = testFiles.flatMap((path) =>
  (parse(read(path), { merge: true }) as { tests: RuleTest[] }).tests.flatMap(
    (test) => test.alert_rule_test ?? [],
  ),
);

/** The names of the SLOs: values of `slo` in the recording rules. */
export const slos = rules
  .filter(({ record }) => record === 'slo:parley_error_budget:ratio')
  .map(({ labels }) => labels?.['slo'] ?? '');

interface Panel {
  title: string;
  targets?: { expr: string; legendFormat?: string }[];
}

export const dashboards = list('dashboards/*.json').map((path) => ({ path, text: read(path) }));

/** A query of a rule, a panel or a runbook. */
export interface Place {
  place: string;
  expr: string;
  /** Labels that the legend or the annotations show. */
  shown: string[];
}

const namesIn = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, name = '']) => name);

const ofRules = rules.map(({ alert, record, expr, annotations = {} }): Place => {
  const used = namesIn(Object.values(annotations).join(' '), /\$labels\.(\w+)/g);
  return { place: alert ?? record ?? '', expr, shown: used };
});

const ofPanels = dashboards.flatMap(({ path, text }) =>
  (JSON.parse(text) as { panels: Panel[] }).panels.flatMap(({ title, targets = [] }) =>
    targets.map(
      ({ expr, legendFormat = '' }): Place => ({
        place: `${path}: ${title}`,
        expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'parley-.+'),
        shown: namesIn(legendFormat, /\{\{(\w+)\}\}/g),
      }),
    ),
  ),
);

const ofRunbooks = runbooks.flatMap((path) =>
  namesIn(read(path), /^promql '([^']+)'/gm).map(
    (expr): Place => ({ place: basename(path, '.md'), expr, shown: [] }),
  ),
);

/** All queries of rules, dashboards and runbooks. The variables of dashboards are replaced. */
export const queries = [...ofRules, ...ofPanels, ...ofRunbooks];
