import { api } from '../../deploy/observability/dashboards/api.ts';
import { data } from '../../deploy/observability/dashboards/data.ts';
import { overview } from '../../deploy/observability/dashboards/overview.ts';
import { services } from '../../deploy/observability/dashboards/services.ts';
import { webhooks } from '../../deploy/observability/dashboards/webhooks.ts';

const dashboards = { overview, api, services, data, webhooks };

/** Grafana's JSON of each dashboard, by its path. */
export const dashboardDocuments: [path: string, content: () => string][] = Object.entries(dashboards).map(
  ([name, build]) => [
    `deploy/observability/dashboards/${name}.json`,
    () => `${JSON.stringify(build(), null, 2)}\n`,
  ],
);
