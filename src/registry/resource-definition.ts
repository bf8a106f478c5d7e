import type { ResourceObject } from '../meta/object.ts';
import type { StructSchema } from '../schema/model.ts';

/** What is known of a resource type before any server runs: pure data and rules, one record per served version. */
export interface ResourceDefinition {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural, as in paths: `deployments`. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** The verbs of the main resource, sorted. */
  readonly verbs: readonly Verb[];
  readonly subresources: readonly SubresourceDefinition[];
  readonly schema: StructSchema;
  readonly rules: ResourceRules;
  /** Undefined for virtual types, which are never stored. */
  readonly storage?: StorageLayout;
}

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

export interface SubresourceDefinition {
  readonly name: string;
  readonly kind: string;
  /** Only when the kind belongs to another group version than the parent. */
  readonly groupVersion?: { readonly group: string; readonly version: string };
  readonly verbs: readonly Verb[];
}

export interface StorageLayout {
  /** The version in which objects are stored and its group, shared by all served versions of a type. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Objects live under `/registry/<keyPrefix>/[<namespace>/]<name>`. */
  readonly keyPrefix: string;
  /** For a served version that is not the stored one. Both functions are pure and may reuse parts of their argument. */
  readonly conversion?: {
    readonly toStored: (object: ResourceObject) => ResourceObject;
    readonly fromStored: (object: ResourceObject) => ResourceObject;
  };
}

/** In what a type deviates from, or adds to, the generic lifecycle. */
export interface ResourceRules {
  readonly name: NameRule;
  /** `metadata.generation` counts the changes of the desired state. */
  readonly generation: boolean;
  /** A PUT without resourceVersion replaces whatever is stored. */
  readonly unconditionalUpdate: boolean;
  /** DELETE answers with the last state of the object instead of a Status. */
  readonly returnsDeleted: boolean;
  readonly fieldSelectors?: FieldSelectorRules;
}

/**
 * dnsSubdomain: lower case, dots, up to 253; dnsLabel: no dots, up to 63; pathSegment: anything that fits one
 * segment of a path.
 */
export type NameRule = 'dnsSubdomain' | 'dnsLabel' | 'pathSegment';

export interface FieldSelectorRules {
  /** The value of each selectable field beside metadata.name and metadata.namespace; an unset field is the empty string. */
  readonly fields: Readonly<Record<string, (object: ResourceObject) => string>>;
  /** How a type with a table of its own words the refusal of another field. */
  readonly refusal: 'notSupported' | 'notSupportedForKind' | 'notSupportedForGroupVersionKind';
  /** False for the few types that do not select by metadata.namespace. Default true. */
  readonly metadataNamespace?: boolean;
}
