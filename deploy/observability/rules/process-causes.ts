import { alertLimits, certificateLimit } from '@parley/deployment/limits';
import { optionalServices, serviceNames } from '@parley/contracts/services';
import { beyond, type Cause, duration, moreThan, seriesOf } from './rule.ts';

/** Limits that only these alerts have. */
export const processLimits = {
  eventLoopDelaySeconds: 0.1,
  waitingWork: 100,
  certificatePageSeconds: 3 * 86_400,
  shedPerSecond: 1,
};

const isOptional = (name: string): boolean => optionalServices.some((one) => one === name);
const needed = serviceNames.filter((name) => !isOptional(name));
const absent = (name: string): string => `absent(target_info{job="parley-${name}"})`;

/** Returns the alerts about processes and the calls between them. */
export function processCauses(): Cause[] {
  return [...absenceCauses(), ...computeCauses(), ...certificateCauses(), ...callCauses()];
}

function absenceCauses(): Cause[] {
  return [
    {
      alert: 'ParleyServiceAbsent',
      severity: 'page',
      forMinutes: 1,
      expr: needed.map(absent).join(' or '),
      when: `no process of ${needed.slice(0, -1).join(', ')} or ${needed.at(-1)} answers scrapes`,
      summary: 'No process of {{ $labels.job }} answers scrapes',
    },
    // Deployments may leave these services out: only one that has run counts.
    ...optionalServices.map(
      (name): Cause => ({
        alert: 'ParleyServiceAbsent',
        severity: 'warn',
        forMinutes: 5,
        expr: `${absent(name)} and on () present_over_time(target_info{job="parley-${name}"}[1d])`,
        when: `no process of ${name} answers scrapes, and one has answered within a day`,
        summary: 'No process of {{ $labels.job }} answers scrapes',
      }),
    ),
    {
      alert: 'ParleyProcessDown',
      severity: 'warn',
      forMinutes: 2,
      expr: 'up{job=~"parley-.+"} == 0',
      when: 'a replica does not answer scrapes',
      summary: '{{ $labels.instance }} of {{ $labels.job }} does not answer scrapes',
    },
  ];
}

function computeCauses(): Cause[] {
  return [
    {
      alert: 'ParleyEventLoopDelayed',
      severity: 'warn',
      forMinutes: 10,
      expr: `nodejs_eventloop_delay_p99_seconds > ${processLimits.eventLoopDelaySeconds}`,
      when:
        'in one process, a hundredth of all turns of the event loop begin more than ' +
        `${duration(processLimits.eventLoopDelaySeconds)} late`,
      summary: '{{ $labels.instance }} of {{ $labels.job }} is {{ $value | humanizeDuration }} late',
    },
    {
      alert: 'ParleyWorkspaceBusy',
      severity: 'warn',
      forMinutes: 5,
      expr:
        'sum by (job, class) (increase(parley_work_refused_total{reason="busy"}[5m])) > 0 ' +
        `or sum by (job, class) (parley_work_waiting) > ${processLimits.waitingWork}`,
      when:
        'a service refuses work because too much work of the same workspace waits, or ' +
        `${moreThan(processLimits.waitingWork)}pieces of work wait`,
      summary: 'One workspace uses most of {{ $labels.job }}: its {{ $labels.class }} work waits',
    },
  ];
}

function certificateCauses(): Cause[] {
  const expiring = (severity: Cause['severity'], seconds: number): Cause => ({
    alert: certificateLimit.alert,
    severity,
    forMinutes: 10,
    expr: `${seriesOf(certificateLimit)} - time() < ${seconds}`,
    when: `the certificate of a process expires in less than ${duration(seconds)}`,
    summary:
      'The certificate of {{ $labels.instance }} of {{ $labels.job }} expires in {{ $value | humanizeDuration }}',
  });
  return [expiring('warn', certificateLimit.value), expiring('page', processLimits.certificatePageSeconds)];
}

function callCauses(): Cause[] {
  const { peersRefusing } = alertLimits;
  return [
    {
      alert: 'ParleySettingRefused',
      severity: 'warn',
      forMinutes: 5,
      expr: 'sum by (job, instance, setting) (increase(parley_settings_refused_total[5m])) > 0',
      when: 'a process cannot use the changed file of a setting',
      summary:
        '{{ $labels.instance }} of {{ $labels.job }} cannot use the changed file of {{ $labels.setting }}',
    },
    {
      alert: 'ParleyCallerRefused',
      severity: 'page',
      forMinutes: 5,
      expr: 'sum by (job, caller, network_peer_address) (increase(parley_rpc_refusals_total[5m])) > 0',
      when: 'a service refuses calls because of who makes them',
      summary:
        '{{ $labels.job }} refuses calls of {{ $labels.caller }} from {{ $labels.network_peer_address }}',
    },
    {
      alert: peersRefusing.alert,
      severity: 'page',
      forMinutes: 1,
      expr: `max by (job, instance) (${seriesOf(peersRefusing)}) ${beyond(peersRefusing)}`,
      when: `a process and ${moreThan(peersRefusing.value)}services that it calls do not accept each other`,
      summary:
        '{{ $labels.instance }} of {{ $labels.job }} and services that it calls do not accept each other',
    },
    {
      alert: 'ParleyOverloaded',
      severity: 'page',
      forMinutes: 2,
      expr: `sum by (job, priority) (rate(parley_gateway_calls_shed_total[5m])) > ${processLimits.shedPerSecond}`,
      when: `gateways refuse ${moreThan(processLimits.shedPerSecond)}calls of a priority per second`,
      summary:
        'There are more calls than can be answered: {{ $labels.job }} refuses those of priority {{ $labels.priority }}',
    },
  ];
}
