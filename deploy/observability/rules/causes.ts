import { alertLimits } from '@parley/deployment/limits';
import { dataCauses } from './data-causes.ts';
import { processCauses } from './process-causes.ts';
import { beyond, type Cause, duration, moreThan, seriesOf } from './rule.ts';

/** Limits of what other programs measure, and of the example for a product. */
export const platformLimits = {
  startsWithoutCompletion: 20,
  certificateSeconds: 14 * 86_400,
  backupSeconds: 26 * 3_600,
  standbyLagSeconds: 30,
};

/** The age of the last backup. The plugin for Barman Cloud has a metric of its own; CloudNativePG's is then 0. */
export const backupAge =
  'time() - max by (namespace, cluster) (label_replace({__name__=~"cnpg_collector_last_available_backup_timestamp|' +
  'barman_cloud_cloudnative_pg_io_last_available_backup_timestamp"}, "cluster", "$1", "pod", "(.+)-[0-9]+"))';

/** Returns the alerts that name a cause, by the subject of their group and of their runbooks. */
export function causes(): Record<string, Cause[]> {
  return {
    processes: processCauses(),
    data: dataCauses(),
    product: [...webhookCauses(), ...insightCauses(), ...productCauses()],
    platform: platformCauses(),
  };
}

function webhookCauses(): Cause[] {
  const { oldestDueAge, egressUp } = alertLimits;
  return [
    {
      alert: oldestDueAge.alert,
      severity: 'page',
      forMinutes: 5,
      expr: `max(${seriesOf(oldestDueAge)}) ${beyond(oldestDueAge)}`,
      when: `a delivery that could be sent has been due for more than ${duration(oldestDueAge.value)}`,
      summary: 'A delivery is {{ $value | humanizeDuration }} late',
    },
    {
      alert: egressUp.alert,
      severity: 'page',
      forMinutes: 2,
      expr: `${seriesOf(egressUp)} ${beyond(egressUp)}`,
      when: 'a webhook replica cannot send',
      summary: '{{ $labels.instance }} cannot send webhook deliveries',
    },
  ];
}

/** Each replica shows the age that it knows. One that is up to date is enough. */
function insightCauses(): Cause[] {
  const { figuresAge } = alertLimits;
  return [
    {
      alert: figuresAge.alert,
      severity: 'warn',
      forMinutes: 2,
      expr: `min(${seriesOf(figuresAge)}) ${beyond(figuresAge)}`,
      when: `the figures of the insight service are older than ${duration(figuresAge.value)}`,
      summary: 'The figures of all bots are {{ $value | humanizeDuration }} old',
    },
  ];
}

/** An example of what a product may watch. Choose the number and the hours for your traffic. */
function productCauses(): Cause[] {
  const { startsWithoutCompletion } = platformLimits;
  return [
    {
      alert: 'ParleyNobodyCompletes',
      severity: 'warn',
      forMinutes: 15,
      expr:
        '(sum(increase(parley_interactions_total{event="completed"}[2h])) or vector(0)) == 0 ' +
        `and sum(increase(parley_interactions_total{event="started"}[2h])) > ${startsWithoutCompletion}`,
      when:
        `in two hours, customers have started ${moreThan(startsWithoutCompletion)}conversations and ` +
        'completed none',
      summary: 'Customers have started conversations for two hours, and nobody has completed one',
    },
  ];
}

/** Of metrics of cert-manager and CloudNativePG. They are absent where neither runs. */
function platformCauses(): Cause[] {
  const { certificateSeconds, backupSeconds, standbyLagSeconds } = platformLimits;
  const ofCluster = (metric: string): string =>
    `max by (namespace, cluster) (label_replace(${metric}, "cluster", "$1", "pod", "(.+)-[0-9]+"))`;
  return [
    {
      alert: 'ParleyCertificateExpiring',
      severity: 'warn',
      forMinutes: 60,
      expr: `certmanager_certificate_expiration_timestamp_seconds - time() < ${certificateSeconds}`,
      when: `a certificate of cert-manager expires in less than ${duration(certificateSeconds)}`,
      summary: 'Certificate {{ $labels.name }} expires in {{ $value | humanizeDuration }}',
    },
    // Only the primary reports a time.
    {
      alert: 'ParleyBackupOld',
      severity: 'warn',
      forMinutes: 15,
      expr: `${backupAge} > ${backupSeconds}`,
      when: `the last complete backup of a database cluster is older than ${duration(backupSeconds)}`,
      summary: 'The last backup of {{ $labels.cluster }} is {{ $value | humanizeDuration }} old',
    },
    // Only standbys report a lag, and only the primary has standbys.
    {
      alert: 'ParleyStandbyLagging',
      severity: 'warn',
      forMinutes: 5,
      expr:
        `${ofCluster('cnpg_pg_replication_lag')} > ${standbyLagSeconds} ` +
        `or ${ofCluster('cnpg_pg_replication_streaming_replicas')} < 1`,
      when: `a standby is more than ${duration(standbyLagSeconds)} behind its primary, or the primary has no standby`,
      summary: `A standby of {{ $labels.cluster }} lags by more than ${standbyLagSeconds} seconds, or there is none`,
    },
  ];
}
