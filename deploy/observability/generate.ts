// Writes Grafana's JSON of the dashboards into the folder that is given: generate.ts FOLDER
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { api } from './dashboards/api.ts';
import { data } from './dashboards/data.ts';
import { overview } from './dashboards/overview.ts';
import { services } from './dashboards/services.ts';
import { webhooks } from './dashboards/webhooks.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: generate.ts FOLDER');
for (const [name, build] of Object.entries({ overview, api, services, data, webhooks }))
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(build(), null, 2)}\n`);
