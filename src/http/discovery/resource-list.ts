import { createHash } from 'node:crypto';
import { apiVersionOf, type GroupVersion } from '../../meta/group-version.ts';
import type {
  ResourceDefinition,
  StorageLayout,
  SubresourceDefinition,
  Verb,
} from '../../registry/resource-definition.ts';
import { isCustom } from './served-catalog.ts';
import { byText } from './served-groups.ts';

/** An entry of an APIResourceList. The keys are in output order. */
interface ApiResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

/** kube-apiserver lists the verbs of custom types in this order, those of all other types alphabetically. */
const customVerbs: readonly Verb[] = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
];

/** The document at `/api/v1` and `/apis/<group>/<version>`. */
export function apiResourceList(groupVersion: GroupVersion, definitions: readonly ResourceDefinition[]): object {
  const { builtIn = [], custom = [] } = Object.groupBy(definitions, (type) => (isCustom(type) ? 'custom' : 'builtIn'));
  const byName = builtIn.flatMap(entriesOf).sort((a, b) => byText(a.name, b.name));
  // Custom types have their status before their scale.
  const byResource = custom.sort((a, b) => byText(a.resource, b.resource)).flatMap(entriesOf);
  return {
    kind: 'APIResourceList',
    // In the core group this document has no apiVersion: it predates that field.
    ...(groupVersion.group !== '' && { apiVersion: 'v1' }),
    groupVersion: apiVersionOf(groupVersion),
    resources: [...byName, ...byResource],
  };
}

function entriesOf(definition: ResourceDefinition): ApiResource[] {
  return [
    mainResource(definition),
    ...definition.subresources.map((subresource) => subresourceEntry(definition, subresource)),
  ];
}

/** The verbs of the main resource in the order of discovery documents. */
export function listedVerbs(definition: ResourceDefinition): readonly Verb[] {
  const { verbs } = definition;
  return isCustom(definition) ? customVerbs.filter((verb) => verbs.includes(verb)) : verbs;
}

function mainResource(definition: ResourceDefinition): ApiResource {
  const { resource, singular, namespaced, kind, shortNames, categories, storage } = definition;
  return {
    name: resource,
    singularName: singular,
    namespaced,
    kind,
    verbs: listedVerbs(definition),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(storage !== undefined && storage.hashVersion !== '' && { storageVersionHash: storageVersionHash(storage) }),
  };
}

function subresourceEntry(
  { resource, namespaced }: ResourceDefinition,
  { name, groupVersion, kind, verbs }: SubresourceDefinition,
): ApiResource {
  return { name: `${resource}/${name}`, singularName: '', namespaced, ...groupVersion, kind, verbs };
}

/** Equal hashes mean that versions of a type, even on several servers, have the same storage version. */
function storageVersionHash({ group, version, hashVersion, kind }: StorageLayout): string {
  const digest = createHash('sha256')
    .update(`${group}/${hashVersion ?? version}/${kind}`)
    .digest();
  return digest.subarray(0, 8).toString('base64');
}
