import type { DefaultDependents } from '../meta/deletion-finalizers.ts';
import type { FieldError } from '../meta/field-error.ts';
import type { FieldSelectorRules } from '../meta/field-selector.ts';
import type { NameCheck, NameRule } from '../meta/names.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { UserInfo } from '../meta/user.ts';
import type { StructSchema } from '../schema/model.ts';

export type { FieldSelectorRules, NameRule };

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
  /** Set when its kind is another view of the object. */
  readonly projection?: Projection;
  /** Set when to create one does something with the object. */
  readonly action?: ObjectAction;
}

/** A kind that shows a part of an object, and through which that part is written. */
export interface Projection {
  readonly schema: StructSchema;
  readonly view: (object: ResourceObject) => ResourceObject;
  /** Every error of what a client has sent. */
  readonly validate: (sent: ResourceObject) => FieldError[];
  /** The object as it would be with what was sent. Changes its argument, which is a copy. */
  readonly apply: (object: ResourceObject, sent: ResourceObject) => void;
  /** The one field that is written through it has this path in both kinds. */
  readonly field: readonly string[];
}

/** What happens to an object when a subresource of another kind is created. */
export interface ObjectAction {
  readonly schema: StructSchema;
  /** Refuses what cannot be done with any object. Throws a StatusError. */
  readonly check: (sent: ResourceObject, name: string) => void;
  /** Changes the object, which is a copy. Throws a StatusError when it cannot be done with this one. */
  readonly apply: (object: ResourceObject, sent: ResourceObject) => void;
}

export interface StorageLayout {
  /** The version in which objects are stored and its group, shared by all served versions of a type. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The version whose hash discovery publishes, where kube-apiserver stores another one than this server does. */
  readonly hashVersion?: string;
  /** Objects live under `/registry/<keyPrefix>/[<namespace>/]<name>`. */
  readonly keyPrefix: string;
  /** For a served version that is not the stored one. Both functions are pure and may reuse parts of their argument. */
  readonly conversion?: {
    readonly toStored: (object: ResourceObject) => ResourceObject;
    readonly fromStored: (object: ResourceObject) => ResourceObject;
  };
}

/** A subresource that is another door to the same object, for a part of it. */
export interface PartRules {
  /** The object to store when `sent` comes through this door. Its metadata is that of any update. */
  readonly prepare: (sent: ResourceObject, stored: ResourceObject) => ResourceObject;
  /** Every error of such a change; none by default. */
  readonly validate?: (next: ResourceObject, stored: ResourceObject) => FieldError[];
  /** True when what changes is part of the desired state, which `metadata.generation` counts. */
  readonly countsGeneration?: boolean;
}

/** In what a type deviates from, or adds to, the generic lifecycle. */
export interface ResourceRules {
  readonly name: NameRule | NameCheck;
  /** Whether finalizers must have names with a domain or be well known. Default: they must (`standard`). */
  readonly finalizers?: 'standard' | 'any';
  /** `metadata.generation` counts the changes of the desired state. */
  readonly generation: boolean;
  /** A PUT without resourceVersion replaces whatever is stored. */
  readonly unconditionalUpdate: boolean;
  /** DELETE answers with the last state of the object instead of a Status. */
  readonly returnsDeleted: boolean;
  /** A new object has the status that the client sent. Without it the status of a new object is empty. */
  readonly keepsStatus?: boolean;
  readonly fieldSelectors?: FieldSelectorRules;
  /** Told with every answer to a request on this type. */
  readonly deprecation?: string;
  /**
   * Fills in what a client may leave out, on every object that comes from one. The object is in canonical form; the fields
   * that are set here are marked `defaulted` in the schema.
   */
  readonly setDefaults?: (object: ResourceObject) => void;
  /**
   * Takes away what refers to resources that are not served, by `group/resource`, unless the old object has it already.
   * `oldObject` is undefined for a new one.
   */
  readonly dropUnserved?: (
    object: ResourceObject,
    oldObject: ResourceObject | undefined,
    isServed: (resource: string) => boolean,
  ) => void;
  /**
   * Every error of a new object beside those of its metadata, in the order in which kube-apiserver finds them. A type that
   * has this states all its rules here: the required fields and choices of its schema are not checked again.
   */
  readonly validate?: (object: ResourceObject) => FieldError[];
  /** The same for a change of the main resource. Without it a changed object is validated like a new one. */
  readonly validateUpdate?: (next: ResourceObject, stored: ResourceObject) => FieldError[];
  /** The same for a write to `status`. */
  readonly validateStatus?: (next: ResourceObject, stored: ResourceObject) => FieldError[];
  /** What a client is told of a valid object that it may not have meant so. `stored` is undefined for a new one. */
  readonly warnings?: (object: ResourceObject, stored: ResourceObject | undefined) => string[];
  /** Completes a new object, after the generic part. The user is the one who creates it. */
  readonly prepareCreate?: (object: ResourceObject, user: UserInfo) => void;
  /** Keeps what a write to the main resource may not change, after the generic part. */
  readonly prepareUpdate?: (next: ResourceObject, stored: ResourceObject) => void;
  /** Keeps what a write to `status` may not change, after the generic part. */
  readonly prepareStatusUpdate?: (next: ResourceObject, stored: ResourceObject) => void;
  /** What is special about other doors to the object than its own and `status`, by the names of the subresources. */
  readonly parts?: Readonly<Record<string, PartRules>>;
  /** Completes an object whose deletion begins but has to wait. */
  readonly prepareDelete?: (object: ResourceObject) => void;
  /** Deleted in two requests at least: the first one only marks it, and while it is held back the others do nothing. */
  readonly deletesInPhases?: boolean;
  /** What becomes of dependents when a client does not say. They are deleted by default. */
  readonly dependents?: DefaultDependents;
  /** Told to a client that does not say what is to become of the dependents. */
  readonly deleteWarning?: string;
  /** The seconds that an object gets to end, when so many are asked for. Without this no object gets any. */
  readonly gracePeriod?: (object: ResourceObject, requested: number | undefined) => number;
  /** True while something beside `metadata.finalizers` holds an object back from being removed. */
  readonly heldBack?: (object: ResourceObject) => boolean;
  /** Throws when the object of this name may not be deleted. */
  readonly admitDelete?: (name: string) => void;
}
