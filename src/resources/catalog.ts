import { type GroupKind, type GroupVersion, parseApiVersion } from '../meta/group-version.ts';
import type { KnownKind } from '../registry/decodable-kind.ts';
import type { ResourceDefinition } from '../registry/resource-definition.ts';
import type { StructSchema } from '../schema/model.ts';
import {
  admissionregistrationResources,
  optionalAdmissionregistrationResources,
} from './admissionregistration/index.ts';
import { apiextensionsKinds, apiextensionsResources } from './apiextensions/index.ts';
import { apiregistrationResources } from './apiregistration/index.ts';
import { optionalApiserverinternalResources } from './apiserverinternal/index.ts';
import { appsResources } from './apps/index.ts';
import { authenticationKinds, authenticationResources } from './authentication/index.ts';
import { authorizationResources } from './authorization/index.ts';
import { autoscalingKinds, autoscalingResources } from './autoscaling/index.ts';
import { batchResources } from './batch/index.ts';
import { certificatesResources, optionalCertificatesResources } from './certificates/index.ts';
import { columnsOf } from './columns/index.ts';
import { coordinationResources, optionalCoordinationResources } from './coordination/index.ts';
import { coreKinds, coreResources } from './core/index.ts';
import type { KindDefinition } from './define.ts';
import { discoveryResources } from './discovery/index.ts';
import { eventsResources } from './events/index.ts';
import { flowcontrolResources } from './flowcontrol/index.ts';
import { networkingResources, optionalNetworkingResources } from './networking/index.ts';
import { nodeResources } from './node/index.ts';
import { policyKinds, policyResources } from './policy/index.ts';
import { rbacResources } from './rbac/index.ts';
import { optionalResourceResources, resourceResources } from './resource/index.ts';
import { retiredVersions } from './retired-versions.ts';
import { optionalSchedulingResources, schedulingResources } from './scheduling/index.ts';
import { optionalStorageResources, storageResources } from './storage/index.ts';
import { optionalStoragemigrationResources } from './storagemigration/index.ts';

/** All built-in resources that are served by default, one definition per version. */
export const builtInResources: readonly ResourceDefinition[] = withColumns([
  ...coreResources,
  ...apiregistrationResources,
  ...appsResources,
  ...eventsResources,
  ...authenticationResources,
  ...authorizationResources,
  ...autoscalingResources,
  ...batchResources,
  ...certificatesResources,
  ...networkingResources,
  ...policyResources,
  ...rbacResources,
  ...storageResources,
  ...admissionregistrationResources,
  ...apiextensionsResources,
  ...schedulingResources,
  ...coordinationResources,
  ...nodeResources,
  ...discoveryResources,
  ...resourceResources,
  ...flowcontrolResources,
]);

/** All built-in resources that are off by default, one definition per version. */
export const optionalResources: readonly ResourceDefinition[] = withColumns([
  ...optionalCertificatesResources,
  ...optionalNetworkingResources,
  ...optionalStorageResources,
  ...optionalAdmissionregistrationResources,
  ...optionalSchedulingResources,
  ...optionalCoordinationResources,
  ...optionalResourceResources,
  ...optionalApiserverinternalResources,
  ...optionalStoragemigrationResources,
]);

/** Columns are joined by kind, so that all versions of a kind and all its resources show the same ones. */
function withColumns(definitions: readonly ResourceDefinition[]): ResourceDefinition[] {
  return definitions.map((definition) => ({
    ...definition,
    columns: () => columnsOf(definition),
    subresources: definition.subresources.map((subresource) => {
      const { kind, groupVersion: { group } = definition } = subresource;
      return kind === definition.kind ? subresource : { ...subresource, columns: () => columnsOf({ group, kind }) };
    }),
  }));
}

/** Kinds without a resource: bodies and options of subresources. */
export const builtInKinds: readonly KindDefinition[] = [
  ...coreKinds,
  ...authenticationKinds,
  ...autoscalingKinds,
  ...policyKinds,
  ...apiextensionsKinds,
];

/** Keyed by apiVersion and kind. Created on first use. */
let schemas: ReadonlyMap<string, StructSchema> | undefined;

/** Returns the schema of a built-in kind, whether it is served or not, or undefined for any other kind. */
export function schemaOf({ group, version, kind }: GroupVersion & GroupKind): StructSchema | undefined {
  schemas ??= new Map(
    [...builtInResources, ...optionalResources, ...builtInKinds].map((known) => [schemaKey(known), known.schema]),
  );
  return schemas.get(schemaKey({ group, version, kind }));
}

const metaKinds: ReadonlySet<string> = new Set([
  'List',
  'Status',
  'DeleteOptions',
  'APIGroup',
  'APIVersions',
  'APIResourceList',
]);

/**
 * Finds a kind by apiVersion and kind, including list kinds, kinds without a resource, and versions that are no longer
 * served.
 */
export function builtInKind({ apiVersion, kind }: { apiVersion: string; kind: string }): KnownKind | undefined {
  const { group, version } = parseApiVersion(apiVersion);
  const retired = retiredVersions[apiVersion]?.[kind];
  if (retired !== undefined) return { group: retired };
  const schema = schemaOf({ group, version, kind });
  if (schema !== undefined) return { group: kind === 'Event' ? '' : group, schema };
  const isKnown =
    (kind.endsWith('List') && schemaOf({ group, version, kind: kind.slice(0, -4) }) !== undefined) ||
    (group === '' && metaKinds.has(kind));
  return isKnown ? { group } : undefined;
}

function schemaKey({ group, version, kind }: GroupVersion & GroupKind): string {
  return `${group}/${version} ${kind}`;
}

/** A group in `/apis`. */
export interface GroupEntry {
  readonly group: string;
  /** Groups with a higher priority come first. Groups with the same priority are sorted by name. */
  readonly priority: number;
  /** The priorities of the versions, the preferred one first. */
  readonly versions: Readonly<Record<string, number>>;
}

/** The built-in groups in the order of `/apis`, which is the search order of clients. `/apis` omits the core group. */
export const groupOrder: readonly GroupEntry[] = [
  { group: 'apiregistration.k8s.io', priority: 20000, versions: { v1: 1000 } },
  { group: 'apps', priority: 17800, versions: { v1: 15 } },
  { group: 'events.k8s.io', priority: 17750, versions: { v1: 15 } },
  { group: 'authentication.k8s.io', priority: 17700, versions: { v1: 15 } },
  { group: 'authorization.k8s.io', priority: 17600, versions: { v1: 15 } },
  { group: 'autoscaling', priority: 17500, versions: { v2: 30, v1: 15 } },
  { group: 'batch', priority: 17400, versions: { v1: 15 } },
  { group: 'certificates.k8s.io', priority: 17300, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
  { group: 'networking.k8s.io', priority: 17200, versions: { v1: 15, v1beta1: 9 } },
  { group: 'policy', priority: 17100, versions: { v1: 15 } },
  { group: 'rbac.authorization.k8s.io', priority: 17000, versions: { v1: 15 } },
  { group: 'storage.k8s.io', priority: 16800, versions: { v1: 15, v1beta1: 9 } },
  { group: 'admissionregistration.k8s.io', priority: 16700, versions: { v1: 15, v1beta1: 12, v1alpha1: 9 } },
  { group: 'apiextensions.k8s.io', priority: 16700, versions: { v1: 15 } },
  { group: 'scheduling.k8s.io', priority: 16600, versions: { v1: 15, v1alpha2: 9 } },
  { group: 'coordination.k8s.io', priority: 16500, versions: { v1: 15, v1beta1: 13, v1alpha2: 12 } },
  { group: 'node.k8s.io', priority: 16300, versions: { v1: 15 } },
  { group: 'discovery.k8s.io', priority: 16200, versions: { v1: 15 } },
  { group: 'resource.k8s.io', priority: 16200, versions: { v1: 21, v1beta2: 15, v1beta1: 12, v1alpha3: 9 } },
  { group: 'flowcontrol.apiserver.k8s.io', priority: 16100, versions: { v1: 21 } },
  { group: 'internal.apiserver.k8s.io', priority: 16000, versions: { v1alpha1: 9 } },
  { group: 'storagemigration.k8s.io', priority: 15800, versions: { v1beta1: 9 } },
];
