import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { findPromtool } from '@parley/testing/promtool';
import { routes } from '../../services/gateway/src/routes.ts';
import { expect, test } from 'vitest';
import {
  dashboards,
  folder,
  type Place,
  queries,
  type Rule,
  ruleFiles,
  rules,
  ruleTests,
  runbooks,
  slos,
  testFiles,
} from './observability/files.ts';
import { labelsOf } from './observability/known-metrics.ts';
import { parseQuery } from './observability/promql.ts';

const execute = promisify(execFile);
const alerts = rules.flatMap(({ alert, ...rest }) => (alert ? [{ alert, ...rest }] : []));

/** An alert of a burn rate fires for each SLO. */
const isOfSlos = ({ expr }: Rule): boolean => expr.includes('slo:');

/** The alerts as they reach a person: an alert of a burn rate once for each SLO. */
const cases = alerts.flatMap(({ alert, labels = {}, annotations = {}, ...rest }) =>
  (isOfSlos(rest) ? slos.map((slo) => ({ slo })) : [{}]).map((own: Record<string, string>) => ({
    alertname: alert,
    labels: { ...labels, ...own },
    runbook: (annotations['runbook_url'] ?? '').replace('{{ $labels.slo }}', own['slo'] ?? ''),
  })),
);

const routeMatches = (operator: string, value: string): boolean =>
  routes.some(({ path }) =>
    operator.endsWith('~') ? new RegExp(`^(?:${value})$`).test(path) : path === value,
  );

function faultsOf({ expr, shown }: Pick<Place, 'expr' | 'shown'>): string[] {
  try {
    const { selectors, groupings, created } = parseQuery(expr);
    const known = (metrics: string[]): string[] => [
      ...metrics.flatMap((name) => labelsOf(name) ?? []),
      ...created,
    ];
    const all = known(selectors.map(({ metric }) => metric));
    return [
      ...selectors.filter(({ metric }) => !labelsOf(metric)).map(({ metric }) => `no metric ${metric}`),
      ...[
        ...selectors.flatMap(({ metric, matchers }) =>
          matchers.map(({ label }) => ({ label, metrics: [metric] })),
        ),
        ...groupings,
      ]
        .filter(({ label, metrics }) => !known(metrics).includes(label))
        .map(({ label, metrics }) => `no label ${label} of ${metrics.join(', ')}`),
      ...shown.filter((label) => !all.includes(label)).map((label) => `no label ${label} to show`),
      ...selectors
        .flatMap(({ matchers }) => matchers)
        .filter(({ label, operator, value }) => label === 'http_route' && !routeMatches(operator, value))
        .map(({ value }) => `no route matches ${value}`),
    ];
  } catch (error) {
    return [(error as Error).message];
  }
}

test('promtool accepts the rules, and their tests pass', async (context) => {
  const promtool = await findPromtool().catch((error: Error) => error);
  if (promtool instanceof Error) {
    if (process.env['CI']) throw promtool;
    return context.skip(`there is no promtool: ${promtool.message}`);
  }
  for (const args of [
    ['check', 'rules', ...ruleFiles],
    ['test', 'rules', ...testFiles],
  ]) {
    const failure = await execute(promtool, args, { cwd: folder }).catch((error: object) => error);
    expect({ ...failure, args }).not.toHaveProperty('code');
  }
});

test.each(cases)(
  '$alertname $labels has a case that fires and one that does not',
  ({ alertname, labels }) => {
    const results = ruleTests
      .filter((each) => each.alertname === alertname)
      .map(({ exp_alerts = [] }) =>
        exp_alerts.some(({ exp_labels }) =>
          Object.entries(labels).every(([name, value]) => exp_labels[name] === value),
        ),
      );
    expect([...new Set(results)].toSorted()).toEqual([false, true]);
  },
);

test('each alert has a runbook, and each runbook is of an alert', () => {
  const named = cases.map(({ runbook }) => runbook);
  const existing = runbooks.map((name) => `deploy/observability/runbooks/${name}.md`);
  expect([...new Set(named)].toSorted()).toEqual(existing.toSorted());
});

test('queries of rules, dashboards and runbooks use only metrics and labels that exist', () => {
  expect(queries.length).toBeGreaterThan(100);
  expect(
    queries.flatMap(({ place, ...query }) => faultsOf(query).map((fault) => `${place}: ${fault}`)),
  ).toEqual([]);
});

test('the check of queries finds wrong names', () => {
  const faults = (expr: string, ...shown: string[]): string[] => faultsOf({ expr, shown });
  expect(faults('sum(rate(parley_webhook_attempt_total[5m]))')).toEqual([
    'no metric parley_webhook_attempt_total',
  ]);
  expect(faults('up{jib="x"}')).toEqual(['no label jib of up']);
  expect(faults('sum by (state) (parley_consumer_lag)', 'durable')).toEqual([
    'no label state of parley_consumer_lag',
  ]);
  expect(faults('parley_consumer_lag', 'durible')).toEqual(['no label durible to show']);
  expect(faults('sum(parley_consumer_lag', 'durable')).toEqual([expect.stringContaining('syntax error')]);
  expect(faults('http_server_request_duration_seconds_count{http_route=~"/v2/.+"}')).toEqual([
    'no route matches /v2/.+',
  ]);
});

test('the dashboards are those of their sources', async () => {
  const made = await mkdtemp(join(tmpdir(), 'parley-dashboards-'));
  try {
    await execute(process.execPath, [join(folder, 'generate.ts'), made]);
    const names = (await readdir(made)).toSorted();
    expect(dashboards.map(({ path }) => path)).toEqual(names.map((name) => `dashboards/${name}`));
    for (const { path, text } of dashboards)
      expect(await readFile(join(made, basename(path)), 'utf8')).toBe(text);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
});
