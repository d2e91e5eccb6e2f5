import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { accessDocument } from './access.ts';
import { alertDocuments } from './alerts.ts';
import { auditDocument } from './audit-actions.ts';
import { busUsersIn } from './bus-users.ts';
import { chartSchema, chartServices, chartValues } from './chart.ts';
import { balancerDocument, composeDocument } from './compose.ts';
import { dashboardDocuments } from './dashboards.ts';
import { errorsDocument } from './errors.ts';
import { eventsDocument, webhooksDocument } from './events.ts';
import { certManagerExample, clusterExample, clusterValuesExample, prometheusExample } from './examples.ts';
import { limitsDocument } from './limits.ts';
import { metricsDocument } from './metrics.ts';
import { questionTypesDocument } from './question-types.ts';
import { scopedStatementsDocument } from './scoped-statements.ts';
import { addressesDocument, chartReadme, servicesDocument } from './services.ts';

// The documents that are made from the code: `npm run generate` writes them, and a check compares them.

const root = resolve(import.meta.dirname, '../..');

/** Returns the new text of a document from its old one. A page that is made as a whole ignores the old one. */
type Step = (text: string) => string | Promise<string>;

const steps: readonly (readonly [path: string, step: Step])[] = [
  ['docs/access.md', accessDocument],
  ['docs/access/audit.md', auditDocument],
  ['docs/architecture/across-workspaces.md', scopedStatementsDocument],
  ['docs/bots/steps.md', questionTypesDocument],
  ['docs/errors.md', errorsDocument],
  ['docs/events.md', eventsDocument],
  ['docs/events.md', busUsersIn('docs/events.md')],
  ['docs/limits.md', limitsDocument],
  ['docs/metrics.md', metricsDocument],
  ['docs/operations/settings.md', addressesDocument],
  ['docs/webhooks.md', webhooksDocument],
  ['deploy/chart/examples/nats-users.yaml', busUsersIn('deploy/chart/examples/nats-users.yaml')],
  ['deploy/chart/README.md', chartReadme],
  ['deploy/chart/examples/cert-manager.yaml', certManagerExample],
  ['deploy/chart/examples/cloudnative-pg-cluster.yaml', clusterExample],
  ['deploy/chart/examples/cloudnative-pg.yaml', clusterValuesExample],
  ['deploy/chart/files/services.yaml', chartServices],
  ['deploy/chart/values.schema.json', chartSchema],
  ['deploy/chart/values.yaml', chartValues],
  ['deploy/compose.yaml', composeDocument],
  ['deploy/haproxy.cfg', balancerDocument],
  ['deploy/nats.conf', busUsersIn('deploy/nats.conf')],
  ['deploy/observability/prometheus.yml', prometheusExample],
  ['deploy/services.sh', servicesDocument],
  ...alertDocuments,
  ...dashboardDocuments,
];

export const documentPaths = [...new Set(steps.map(([path]) => path))];

export async function documentAt(path: string): Promise<string> {
  const file = join(root, path);
  let text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  for (const [of, step] of steps) if (of === path) text = await step(text);
  return text;
}

/** Replaces a file at once, so that a failure leaves the old one. */
function replaceFile(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}

if (import.meta.main) {
  const texts = await Promise.all(documentPaths.map(documentAt));
  for (const [at, path] of documentPaths.entries()) replaceFile(join(root, path), texts[at] ?? '');
}
