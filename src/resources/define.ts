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

/** What a group says about one of its resources. Whatever it leaves out is as for nearly all built-in types. */
interface ResourceOptions extends Partial<ResourceRules> {
  /** Named after its kind. */
  readonly schema: StructSchema;
  readonly scope?: 'namespaced' | 'cluster';
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs?: readonly Verb[];
  readonly subresources?: readonly SubresourceOptions[];
  /** `virtual` for types that are never stored. Otherwise in what the layout is special. */
  readonly storage?: 'virtual' | Partial<StorageLayout>;
}

/** Without kind it is that of the parent, without verbs those that read and write a part of the parent. */
type SubresourceOptions = Pick<SubresourceDefinition, 'name'> & Partial<SubresourceDefinition>;

/** A kind that has no resource of its own: the body or the options of a subresource. */
export interface KindDefinition extends GroupVersion {
  readonly kind: string;
  readonly schema: StructSchema;
}

const allVerbs: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const partVerbs: readonly Verb[] = ['get', 'patch', 'update'];

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

export function defineResource(at: GroupVersion, resource: string, options: ResourceOptions): ResourceDefinition {
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
    ...at,
    resource,
    singular: kind.toLowerCase(),
    kind,
    namespaced: scope !== 'cluster',
    shortNames,
    categories,
    verbs,
    subresources: subresources.map((part) => ({ kind, verbs: partVerbs, ...part })),
    schema,
    rules: { ...defaultRules, ...rules },
    storage: storage === 'virtual' ? undefined : { ...at, kind, keyPrefix: resource, ...storage },
  };
}

/** A type that is only ever created, and answers instead of being kept. */
export function defineReview(at: GroupVersion, resource: string, options: ResourceOptions): ResourceDefinition {
  return defineResource(at, resource, { verbs: ['create'], storage: 'virtual', ...options });
}

export function defineKind(at: GroupVersion, schema: StructSchema): KindDefinition {
  return { ...at, kind: kindOf(schema), schema };
}

function kindOf(schema: StructSchema): string {
  return schema.name.slice(schema.name.indexOf('.') + 1);
}
