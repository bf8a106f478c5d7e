import type { GroupVersion } from '../meta/group-version.ts';
import type {
  ResourceDefinition,
  ResourceRules,
  StorageLayout,
  SubresourceDefinition,
  Verb,
} from '../registry/resource-definition.ts';
import type { StructSchema } from '../schema/model.ts';
import { scaleProjection } from './subresources/scale.ts';

/** Describes one resource of a group. Defaults are the values of nearly all built-in types. */
interface ResourceOptions extends Partial<ResourceRules> {
  /** The schema. Its name contains the kind. */
  readonly schema: StructSchema;
  readonly scope?: 'namespaced' | 'cluster';
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs?: readonly Verb[];
  readonly subresources?: readonly SubresourceOptions[];
  /** `virtual` for types that are never stored. Otherwise overrides of the default storage layout. */
  readonly storage?: 'virtual' | Partial<StorageLayout>;
}

/** The kind defaults to that of the parent, the verbs to get, patch and update. */
type SubresourceOptions = Pick<SubresourceDefinition, 'name'> & Partial<SubresourceDefinition>;

/** A kind without a resource: the body or the options of a subresource. */
export interface KindDefinition extends GroupVersion {
  readonly kind: string;
  readonly schema: StructSchema;
}

const allVerbs: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const subresourceVerbs: readonly Verb[] = ['get', 'patch', 'update'];

const defaultRules: ResourceRules = {
  name: 'dnsSubdomain',
  generation: false,
  unconditionalUpdate: true,
  returnsDeleted: false,
};

export const withoutDeleteCollection = allVerbs.filter((verb) => verb !== 'deletecollection');
export const proxyVerbs: readonly Verb[] = ['create', 'delete', 'get', 'patch', 'update'];

export const status: SubresourceOptions = { name: 'status' };
export const scale: SubresourceOptions = {
  name: 'scale',
  kind: 'Scale',
  groupVersion: { group: 'autoscaling', version: 'v1' },
  projection: scaleProjection,
};

export function defineResource(
  groupVersion: GroupVersion,
  resource: string,
  options: ResourceOptions,
): ResourceDefinition {
  const {
    schema,
    scope,
    shortNames = [],
    categories = [],
    verbs = allVerbs,
    subresources = [],
    storage,
    ...rules
  } = options;
  const kind = kindOf(schema);
  return {
    origin: 'built-in',
    ...groupVersion,
    resource,
    singular: kind.toLowerCase(),
    kind,
    namespaced: scope !== 'cluster',
    shortNames,
    categories,
    verbs,
    subresources: subresources.map((subresource) => ({ kind, verbs: subresourceVerbs, ...subresource })),
    schema,
    rules: { ...defaultRules, ...rules },
    storage: storage === 'virtual' ? undefined : { ...groupVersion, kind, keyPrefix: resource, ...storage },
  };
}

/** Defines a type that supports only create. The response is computed and not stored. */
export function defineReview(
  groupVersion: GroupVersion,
  resource: string,
  options: ResourceOptions,
): ResourceDefinition {
  return defineResource(groupVersion, resource, { verbs: ['create'], storage: 'virtual', ...options });
}

export function defineKind(groupVersion: GroupVersion, schema: StructSchema): KindDefinition {
  return { ...groupVersion, kind: kindOf(schema), schema };
}

function kindOf(schema: StructSchema): string {
  return schema.name.slice(schema.name.indexOf('.') + 1);
}
