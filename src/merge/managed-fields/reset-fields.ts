import { everything, except, type FieldFilter, only } from './field-filter.ts';
import { FieldSet } from './field-set.ts';
import { fieldElement } from './path-element.ts';

export interface Endpoint {
  /** Empty for the core group. */
  readonly group: string;
  readonly resource: string;
  /** Empty for the main resource. */
  readonly subresource: string;
  /** The type has a `status` subresource. */
  readonly hasStatus: boolean;
  /** The type is defined by a custom resource definition. */
  readonly isCustom?: boolean;
}

/** Fields that an endpoint cannot change. Writes through it do not own them, and sending them is not a conflict. */
type Rule = { readonly resets: readonly string[] } | { readonly changes: readonly string[] };

/**
 * Keyed by group, resource and subresource. Everything else follows `defaultRule`. The `resize` and
 * `ephemeralcontainers` of pods have no rule in kube-apiserver: fields that a PUT omits lose their owner, although they
 * stay.
 */
const rules: Readonly<Record<string, Rule>> = {
  'apps/deployments/status': { resets: ['spec', 'metadata.labels'] },
  '/pods/status': { resets: ['spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences'] },
  '/namespaces/finalize': { resets: ['status'] },
  // In kube-apiserver, the rule of this endpoint names a group that does not exist.
  'networking.k8s.io/servicecidrs/status': { resets: [] },
  'certificates.k8s.io/certificatesigningrequests/': { resets: ['spec', 'status'] },
  'certificates.k8s.io/certificatesigningrequests/status': { resets: ['spec', 'status.conditions'] },
  'certificates.k8s.io/certificatesigningrequests/approval': { resets: ['spec', 'status.certificate'] },
};

/** Types whose status endpoint keeps the metadata of the stored object. */
const keepingMetadata: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io/validatingadmissionpolicies',
  'apiregistration.k8s.io/apiservices',
  'certificates.k8s.io/podcertificaterequests',
  'flowcontrol.apiserver.k8s.io/flowschemas',
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
  'internal.apiserver.k8s.io/storageversions',
  'resource.k8s.io/devicetaintrules',
  'resource.k8s.io/resourceclaims',
  'resource.k8s.io/resourcepoolstatusrequests',
  'scheduling.k8s.io/podgroups',
  'storage.k8s.io/volumeattachments',
  'storagemigration.k8s.io/storageversionmigrations',
]);

function defaultRule({ group, resource, subresource, hasStatus, isCustom = false }: Endpoint): Rule {
  if (subresource === '') return { resets: hasStatus ? ['status'] : [] };
  if (subresource !== 'status') return { resets: [] };
  if (isCustom) return { changes: ['status'] };
  return { resets: keepingMetadata.has(`${group}/${resource}`) ? ['metadata', 'spec'] : ['spec'] };
}

const filters = new Map<string, FieldFilter>();

/** Selects the fields that a write through this endpoint can change. */
export function fieldFilter(endpoint: Endpoint): FieldFilter {
  const { group, resource, subresource, hasStatus, isCustom = false } = endpoint;
  const rule = rules[`${group}/${resource}/${subresource}`] ?? defaultRule(endpoint);
  const key = JSON.stringify([rule, hasStatus, isCustom]);
  let filter = filters.get(key);
  if (filter === undefined) {
    filter = makeFilter(rule);
    filters.set(key, filter);
  }
  return filter;
}

function makeFilter(rule: Rule): FieldFilter {
  if ('changes' in rule) return only(fieldSet(rule.changes));
  return rule.resets.length === 0 ? everything : except(fieldSet(rule.resets));
}

function fieldSet(paths: readonly string[]): FieldSet {
  return FieldSet.ofPaths(...paths.map((path) => path.split('.').map(fieldElement)));
}
