import { Cluster } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Cluster';
import { ScheduledBackup } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/ScheduledBackup';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import type { KubernetesObject } from './helm.ts';

const models = [
  Cluster,
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  PrometheusRule,
  ScheduledBackup,
  Service,
  ServiceAccount,
  ServiceMonitor,
];

/** Kinds whose schema no package has. */
const withoutSchema = new Set(['barmancloud.cnpg.io/v1 ObjectStore']);

/** An object or array below the validated one: where it is, and the keys that the validator has read. */
interface Visited {
  path: string;
  keys: Set<PropertyKey>;
}

/**
 * Returns what the schema of an object's kind rejects, and the fields that the schema does not have. The validators
 * accept unknown fields. They read each field that the schema has, set or not, and each key of a map, so an unread
 * field is unknown. An object without any read has no schema of its own.
 */
export function faultsOf(object: KubernetesObject): string[] {
  if (withoutSchema.has(`${object.apiVersion} ${object.kind}`)) return [];
  const model = models.find(
    ({ apiVersion, kind }) => apiVersion === object.apiVersion && kind === object.kind,
  );
  if (!model) return [`${object.apiVersion} ${object.kind} has no schema here`];
  const visited = new Map<object, Visited>();
  const faults: string[] = [];
  try {
    model.prototype.validate.call(recordReads(object, '', visited));
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  }
  for (const [value, { path, keys }] of visited) {
    if (keys.size === 0 || Array.isArray(value)) continue;
    const unknown = Object.keys(value).filter((key) => !keys.has(key));
    faults.push(...unknown.map((key) => `${path}/${key} is unknown`));
  }
  return faults;
}

function recordReads<Value extends object>(value: Value, path: string, visited: Map<object, Visited>): Value {
  const { keys } = visited.get(value) ?? { keys: new Set() };
  visited.set(value, { path, keys });
  return new Proxy(value, {
    get: (target, key) => {
      keys.add(key);
      const child: unknown = Reflect.get(target, key);
      return typeof child === 'object' && child !== null
        ? recordReads(child, `${path}/${String(key)}`, visited)
        : child;
    },
  });
}
