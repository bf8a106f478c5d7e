import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { StatusError } from '../../meta/status-error.ts';
import type { AdmissionPlugin, ObjectUpdater } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { admissionForbidden } from './admission-forbidden.ts';
import type { Resources } from './pod-resources.ts';
import { charged, increase, refunded } from './resource-quota/charge.ts';
import { type LimitedResource, uncoveredUsage } from './resource-quota/limited-resources.ts';
import { changesDeadline } from './resource-quota/pod-evaluator.ts';
import type { Quota } from './resource-quota/quota.ts';
import type { QuotaEvaluator } from './resource-quota/quota-evaluator.ts';
import { evaluatorFor, isInScopes } from './resource-quota/quota-measure.ts';

const resourceQuotas = { group: '', version: 'v1', resource: 'resourcequotas' };

/**
 * Enforces the quotas of a namespace. Limits and usage are in the status of a quota. Without a status a quota limits
 * nothing. Usage is charged before the object is stored. The quota controller, which maintains the status, corrects it
 * for deleted objects and for objects that were not stored in the end.
 */
export function resourceQuota(updater: ObjectUpdater, limited: readonly LimitedResource[] = []): AdmissionPlugin {
  return {
    name: 'ResourceQuota',
    rules: [
      { operations: ['CREATE'], resources: ['*'] },
      { operations: ['UPDATE'], resources: ['/persistentvolumeclaims', '/pods', '/pods/resize', '/services'] },
    ],
    validate(request, objects): MaybePromise<void> {
      if (!mayTake(request)) return;
      const { group, resource } = request.resource;
      const restricted = limited.filter((one) => one.group === group && one.resource === resource);
      const quotas = objects.list(resourceQuotas, request.namespace);
      const enforcement = { request, updater, restricted };
      if (quotas instanceof Promise) return quotas.then((found) => enforceConfirmed(found, enforcement, objects));
      // This runs for every create, and most namespaces have no quota.
      if (quotas.length > 0 || restricted.length > 0) return enforceConfirmed(quotas, enforcement, objects);
    },
  };
}

/** Most updates of a pod change neither its usage nor its scopes. */
function mayTake(request: AdmissionRequest): boolean {
  const { operation, subresource, namespace } = request;
  const { group, resource } = request.resource;
  if (namespace === '') return false;
  const isCore = group === '';
  if (operation === 'CREATE') {
    if (resource === 'events') return !isCore && group !== 'events.k8s.io';
    return !isCore || resource !== 'namespaces';
  }
  return resource !== 'pods' || subresource === 'resize' || changesDeadline(request.object, request.oldObject);
}

interface Enforcement {
  readonly request: AdmissionRequest;
  readonly updater: ObjectUpdater;
  /** The restrictions of this type. */
  readonly restricted: readonly LimitedResource[];
}

interface QuotaCharge {
  readonly quota: Quota;
  readonly requested: Resources;
}

/** A refusal must not be based on stale quotas. Admitted requests are charged by compare and swap. */
async function enforceConfirmed(
  quotas: readonly ResourceObject[],
  enforcement: Enforcement,
  { current }: ObjectReader,
): Promise<void> {
  try {
    await enforce(quotas, enforcement);
  } catch (error) {
    if (current === undefined || !(error instanceof StatusError) || error.status.code !== 403) throw error;
    const latest = await current.list(resourceQuotas, enforcement.request.namespace);
    // Unchanged objects are the same.
    const isChanged = latest.length !== quotas.length || latest.some((quota, index) => quota !== quotas[index]);
    if (!isChanged) throw error;
    await enforce(latest, enforcement);
  }
}

async function enforce(quotas: readonly ResourceObject[], enforcement: Enforcement): Promise<void> {
  const { request } = enforcement;
  const { object, oldObject, dryRun } = request;
  const evaluator = evaluatorFor(request.resource);
  const concerned = (quotas as readonly Quota[]).filter((quota) => isConcerned(quota, request, evaluator));
  if (concerned.length === 0 && enforcement.restricted.length === 0) return;
  const usage = evaluator.usage(object);
  const more = oldObject === undefined ? usage : increase(usage, evaluator.usage(oldObject));
  const uncovered = uncoveredUsage(enforcement.restricted, { usage: more, object, evaluator, quotas: concerned });
  if (uncovered !== undefined) throw admissionForbidden(request, uncovered);
  const charges = concerned.map((quota): QuotaCharge => {
    // An update can move an object into a scope. Then its whole usage is new to this quota.
    const isNew = oldObject === undefined || !isInScopes(quota, oldObject, evaluator);
    return { quota, requested: isNew ? usage : more };
  });
  const limiting = charges.filter(({ quota, requested }) => charged(quota, requested, request) !== undefined);
  if (!dryRun) await take(limiting, enforcement);
}

/** Whether the quota covers the object. Throws when the object lacks fields that the quota needs. */
function isConcerned(quota: Quota, request: AdmissionRequest, evaluator: QuotaEvaluator): boolean {
  const { hard = {}, used = {} } = quota.status ?? {};
  const names = Object.keys(hard).filter((name) => evaluator.concerns(name));
  if (names.length === 0) return false;
  const { object } = request;
  if (!isInScopes(quota, object, evaluator)) return false;
  const missing = evaluator.missing?.(object, names);
  if (missing !== undefined) throw admissionForbidden(request, `failed quota: ${quota.metadata.name}: ${missing}`);
  if (names.some((name) => used[name] === undefined)) {
    throw admissionForbidden(
      request,
      `status unknown for quota: ${quota.metadata.name}, resources: ${names.sort().join(',')}`,
    );
  }
  return true;
}

/** Charges all quotas or none: a concurrent request may have used the rest of one. */
async function take(charges: readonly QuotaCharge[], { request, updater }: Enforcement): Promise<void> {
  const taken: QuotaCharge[] = [];
  try {
    for (const charge of charges) {
      const { quota, requested } = charge;
      await updater.update(resourceQuotas, itemOf(quota), (current) => charged(current as Quota, requested, request));
      taken.push(charge);
    }
  } catch (error) {
    for (const { quota, requested } of taken) {
      await updater.update(resourceQuotas, itemOf(quota), (current) => refunded(current as Quota, requested));
    }
    throw error;
  }
}

function itemOf({ metadata: { namespace = '', name = '' } }: Quota): { namespace: string; name: string } {
  return { namespace, name };
}
