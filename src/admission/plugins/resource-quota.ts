import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { AdmissionPlugin, AdmissionRequest, ObjectUpdater } from '../admission-plugin.ts';
import type { Resources } from './pod-resources.ts';
import { refused } from './refused.ts';
import { charged, difference, givenBack } from './resource-quota/charge.ts';
import type { Quota } from './resource-quota/quota.ts';
import type { QuotaEvaluator } from './resource-quota/quota-evaluator.ts';
import { evaluatorFor, isInScopes } from './resource-quota/quota-measure.ts';

const resourceQuotas = { group: '', version: 'v1', resource: 'resourcequotas' };
const changing: ReadonlySet<string> = new Set(['persistentvolumeclaims', 'services']);

/**
 * What the objects of a namespace may take together. Limits and what is taken stand in the status of its quotas; one whose
 * status nobody has written limits nothing. What is taken is written before the object is; what is released, and what was
 * taken for an object that was not stored in the end, is counted by whoever keeps the status.
 */
export function resourceQuota(updater: ObjectUpdater): AdmissionPlugin {
  return {
    name: 'ResourceQuota',
    resources: ['*', '/persistentvolumeclaims', '/pods/resize', '/services'],
    validate(request, objects): MaybePromise<void> {
      if (!mayTake(request)) return;
      const quotas = objects.list(resourceQuotas, request.namespace);
      if (quotas instanceof Promise) return quotas.then((found) => enforce(found, { request, updater }));
      // Every create comes here, and most namespaces have no quota.
      if (quotas.length > 0) return enforce(quotas, { request, updater });
    },
  };
}

/** Most changes do not change what an object takes. */
function mayTake({ operation, group, resource, subresource, namespace }: AdmissionRequest): boolean {
  if (namespace === '' || operation === 'DELETE') return false;
  if (operation === 'CREATE') return resource !== 'events' || (group !== '' && group !== 'events.k8s.io');
  return group === '' && (changing.has(resource) || subresource === 'resize');
}

interface Enforcement {
  readonly request: AdmissionRequest;
  readonly updater: ObjectUpdater;
}

async function enforce(quotas: readonly ResourceObject[], enforcement: Enforcement): Promise<void> {
  const { request } = enforcement;
  const evaluator = evaluatorFor(request);
  const concerned = (quotas as readonly Quota[]).filter((quota) => isConcerned(quota, request, evaluator));
  if (concerned.length === 0) return;
  const before = request.stored === undefined ? {} : evaluator.usage(request.stored);
  const asked = difference(evaluator.usage(request.object), before);
  const limiting = concerned.filter((quota) => charged(quota, asked, request) !== undefined);
  if (!request.dryRun) await take(limiting, asked, enforcement);
}

/** Fails when the object does not say what the quota has to know. */
function isConcerned(quota: Quota, request: AdmissionRequest, evaluator: QuotaEvaluator): boolean {
  const { hard = {}, used = {} } = quota.status ?? {};
  const names = Object.keys(hard).filter((name) => evaluator.concerns(name));
  if (names.length === 0) return false;
  const { object } = request;
  if (!isInScopes(quota, object, evaluator)) return false;
  const missing = evaluator.missing?.(object, names);
  if (missing !== undefined) throw refused(request, `failed quota: ${quota.metadata.name}: ${missing}`);
  if (names.some((name) => used[name] === undefined)) {
    throw refused(request, `status unknown for quota: ${quota.metadata.name}, resources: ${names.sort().join(',')}`);
  }
  return true;
}

/** From all of them or from none: another request may have taken the rest of one meanwhile. */
async function take(quotas: readonly Quota[], asked: Resources, { request, updater }: Enforcement): Promise<void> {
  const taken: Quota[] = [];
  try {
    for (const quota of quotas) {
      await updater.update(resourceQuotas, itemOf(quota), (current) => charged(current as Quota, asked, request));
      taken.push(quota);
    }
  } catch (error) {
    for (const quota of taken) {
      await updater.update(resourceQuotas, itemOf(quota), (current) => givenBack(current as Quota, asked));
    }
    throw error;
  }
}

function itemOf({ metadata: { namespace = '', name = '' } }: Quota): { namespace: string; name: string } {
  return { namespace, name };
}
