import type { Clock } from '../meta/clock.ts';
import type { DefaultDependents } from '../meta/deletion-finalizers.ts';
import type { FieldError } from '../meta/field-error.ts';
import type { FieldSelectorRules } from '../meta/field-selector.ts';
import type { IdentitySource } from '../meta/identity-source.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { NameCheck, NameRule } from '../meta/names.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { TableColumns } from '../meta/table-columns.ts';
import type { Steps } from '../meta/turns.ts';
import type { UserInfo } from '../meta/user.ts';
import type { StructSchema } from '../schema/model.ts';
import type { JsonSchema } from '../schema/structural/json-schema.ts';

export type { FieldSelectorRules, NameRule };

/** A resource type independent of any server: data and pure rules, one record per served version. */
export type ResourceDefinition = BuiltInDefinition | CustomDefinition;

/** A type that the code of a server defines. */
export interface BuiltInDefinition extends DefinitionFields {
  readonly origin: 'built-in';
}

/** A type that a CustomResourceDefinition defines. */
export interface CustomDefinition extends DefinitionFields {
  readonly origin: 'custom';
  /** The schema that OpenAPI publishes for the kind, as its definition states it. */
  readonly published: JsonSchema;
}

interface DefinitionFields {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural, as in paths: `deployments`. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  /** The kind of lists. Default: the kind with the suffix `List`. */
  readonly listKind?: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** The verbs of the main resource, sorted. */
  readonly verbs: readonly Verb[];
  readonly subresources: readonly SubresourceDefinition[];
  readonly schema: StructSchema;
  readonly rules: ResourceRules;
  /** How a Table shows the objects. */
  readonly columns?: LoadColumns;
  /** Undefined for virtual types, which are never stored. */
  readonly storage?: StorageLayout;
}

/** Called for each Table, so it should return cached columns. Kinds without columns show name and creation time. */
export type LoadColumns = () => TableColumns | undefined;

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

export interface SubresourceDefinition {
  readonly name: string;
  readonly kind: string;
  /** Set only when the kind belongs to another group version than the parent. */
  readonly groupVersion?: { readonly group: string; readonly version: string };
  readonly verbs: readonly Verb[];
  /** The kind of the options in the query, when it is not that of the subresource. */
  readonly optionsKind?: string;
  /** Set when the kind is another view of the object. */
  readonly projection?: Projection;
  /** Set when creating one acts on the object. */
  readonly action?: ObjectAction;
  /** Set when the subresource connects clients to another server. The kind is then that of the options. */
  readonly connects?: true;
  /** The columns of the subresource's own kind. A subresource of the same kind as its resource shares its columns. */
  readonly columns?: LoadColumns;
}

/** A kind that shows a part of an object, and through which that part is written. */
export interface Projection {
  readonly schema: StructSchema;
  /** Throws a StatusError when the object cannot be read through the view. */
  readonly view: (object: ResourceObject) => ResourceObject;
  /** The view that a write changes, where it differs. */
  readonly changedView?: (object: ResourceObject) => ResourceObject;
  /** The view that admission sees, where it differs. */
  readonly admittedView?: (object: ResourceObject) => ResourceObject;
  /** Returns all errors of the sent view. Throws a StatusError for views that are no request for this object. */
  readonly validate: (sent: ResourceObject) => FieldError[];
  /** Applies the sent view to the object, which is a copy. */
  readonly apply: (object: ResourceObject, sent: ResourceObject) => void;
  /** The path of the one writable field, in both kinds. */
  readonly field: readonly string[];
}

/** The effect on an object when a subresource of another kind is created. */
export interface ObjectAction {
  readonly schema: StructSchema;
  /** Rejects requests that are invalid for any object. Throws a StatusError. */
  readonly check: (sent: ResourceObject, name: string) => void;
  /** Changes the object, which is a copy. Throws a StatusError when that is not possible for this object. */
  readonly apply: (object: ResourceObject, sent: ResourceObject, clock?: Clock) => void;
}

export interface StorageLayout {
  /** The stored version and its group, shared by all served versions of a type. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /**
   * The version whose hash discovery publishes, if kube-apiserver stores another version than this server. Empty: none,
   * because the objects are not stored here.
   */
  readonly hashVersion?: string;
  /** Objects are stored under `/registry/<keyPrefix>/[<namespace>/]<name>`. */
  readonly keyPrefix: string;
  /**
   * Set for a served version that is not the stored one. Both functions are pure and may reuse parts of their argument.
   */
  readonly conversion?: {
    readonly toStored: (object: ResourceObject) => ResourceObject;
    readonly fromStored: (object: ResourceObject) => ResourceObject;
  };
  /**
   * Set for types whose stored objects may be of any of their versions, such as custom resources. Stored objects are
   * then converted, pruned and defaulted by the present schema whenever they are read.
   */
  readonly converter?: VersionConverter;
}

/** Converts objects between the versions of a type. */
export interface VersionConverter {
  /**
   * Returns the objects in the given version, in the same order. The arguments may be reused. Fails with a StatusError,
   * and then converts none.
   */
  convert(objects: readonly ResourceObject[], apiVersion: string): MaybePromise<ResourceObject[]>;
  /** Whether `convert` always returns synchronously. */
  readonly isSynchronous: boolean;
}

/** The rules of a subresource that writes a part of the object itself. */
export interface SubresourceRules {
  /**
   * Returns the object to store when `sent` is written through this subresource. Its metadata is that of any update.
   */
  readonly prepare: (sent: ResourceObject, oldObject: ResourceObject, clock?: Clock) => ResourceObject;
  /** Returns all errors of such a change. None by default. */
  readonly validate?: (next: ResourceObject, oldObject: ResourceObject) => FieldError[];
  /** What the change is checked for, where `change` means `validate`. Default: `metadataChange`, `change`. */
  readonly checks?: readonly Exclude<UpdateCheck, 'object'>[];
  /** Whether the change affects the desired state, which `metadata.generation` counts. */
  readonly countsGeneration?: boolean;
}

/** A write that is being validated. */
export interface ValidatedWrite {
  /** Undefined for a new object. */
  readonly oldObject: ResourceObject | undefined;
  readonly endpoint: 'main' | 'status';
}

/** A label that the namespace of an object must have. */
export interface RequiredLabel {
  readonly name: string;
  readonly value: string;
  /** Reported, before all other errors, when the label is missing or has another value. */
  readonly error: FieldError;
}

/**
 * A part of the validation of a new object. `metadata`: its metadata. `object`: `validate`. `creation`:
 * `validateCreate`.
 */
export type CreateCheck = 'metadata' | 'object' | 'creation';

/**
 * A part of the validation of an update. `metadata`: the metadata, as of a new object. `metadataChange`: their change.
 * `object`: `validate`. `change`: `validateUpdate` or `validateStatus`.
 */
export type UpdateCheck = 'metadata' | 'metadataChange' | 'object' | 'change';

/** The deviations of a type from the generic lifecycle, and its additions. */
export interface ResourceRules {
  readonly name: NameRule | NameCheck;
  /** Replaces `name` for types whose names depend on the rest of the object. */
  readonly nameOf?: (object: ResourceObject) => NameCheck;
  /**
   * What a new object is checked for, in the order of kube-apiserver. Default: `metadata`, `object`. Metadata that are
   * not in the list are checked when there are no other errors.
   */
  readonly createChecks?: readonly CreateCheck[];
  /**
   * What an update is checked for after the checks of every update, in the order of kube-apiserver. A check that is
   * there twice reports its errors twice. Default: `metadataChange`, then `change`, or `object` for types without
   * `validateUpdate`.
   */
  readonly updateChecks?: readonly UpdateCheck[];
  /** Like `updateChecks`, for a write to `status`. Default: `metadataChange`, `change`. */
  readonly statusChecks?: readonly UpdateCheck[];
  /** Whether finalizers must be domain-qualified or well known. Default: they must (`standard`). */
  readonly finalizers?: 'standard' | 'any';
  /** Whether `metadata.generation` counts the changes of the desired state. */
  readonly generation: boolean;
  /**
   * Whether the generation also counts a write that states an empty list or map where the stored object has none. Stored
   * objects never have empty ones, so every such write counts.
   */
  readonly generationCountsEmpty?: boolean;
  /** Whether a PUT without resourceVersion replaces any stored version. */
  readonly unconditionalUpdate: boolean;
  /**
   * Whether PUT creates an absent object in kube-apiserver, too. Read where `everyPutCreates` of `Compatibility` is off.
   */
  readonly createsOnUpdate?: boolean;
  /** Whether DELETE responds with the last state of the object instead of a Status. */
  readonly returnsDeleted: boolean;
  /** False when OpenAPI states a Status as the response to DELETE although the object is returned. */
  readonly announcesDeleted?: boolean;
  /** Whether a new object keeps the sent status. Otherwise its status is empty. */
  readonly keepsStatus?: boolean;
  readonly fieldSelectors?: FieldSelectorRules;
  /** A warning in every response to a request on this type. */
  readonly deprecation?: string;
  /**
   * Sets defaults on every object from a client. The object is in canonical form. The fields set here are marked
   * `defaulted` in the schema.
   */
  readonly setDefaults?: (object: ResourceObject, clock?: Clock) => void;
  /**
   * Removes references to resources, by `group/resource`, that are not served, unless the old object has them.
   * `oldObject` is undefined for a new one.
   */
  readonly dropUnserved?: (
    object: ResourceObject,
    oldObject: ResourceObject | undefined,
    isServed: (resource: string) => boolean,
  ) => void;
  /**
   * Returns all errors of a new object except those of its metadata, in the order of kube-apiserver. A type with this
   * function states all its rules in it: the required fields and enums of its schema are not checked again.
   * `oldObject` is undefined for a new one.
   */
  readonly validate?: (object: ResourceObject, oldObject?: ResourceObject) => FieldError[];
  /** Returns the errors that only a new object can have, for types with the check `creation`. */
  readonly validateCreate?: (object: ResourceObject) => FieldError[];
  /** Returns the errors of the check `change` of an update of the main resource. */
  readonly validateUpdate?: (next: ResourceObject, oldObject: ResourceObject) => FieldError[];
  /** Like `validate`, for a write to `status`. */
  readonly validateStatus?: (next: ResourceObject, oldObject: ResourceObject) => FieldError[];
  /**
   * Replaces the three functions above for types whose validation may take long. It is spread over turns of the event
   * loop. It is also called for an update that changes nothing.
   */
  readonly validateSteps?: (object: ResourceObject, write: ValidatedWrite) => Steps<FieldError[]>;
  /** For types with `validateSteps`: the label that the object requires of its namespace, if it requires one. */
  readonly requiredLabel?: (object: ResourceObject, write: ValidatedWrite) => RequiredLabel | undefined;
  /** Returns warnings about a valid object that may not be intended. `oldObject` is undefined for a new one. */
  readonly warnings?: (object: ResourceObject, oldObject: ResourceObject | undefined) => string[];
  /** Like `warnings`, for a write to `status`. */
  readonly statusWarnings?: (object: ResourceObject) => readonly string[];
  /** Completes a new object after the generic preparation. The user is its creator. */
  readonly prepareCreate?: (object: ResourceObject, user: UserInfo, identity?: IdentitySource) => void;
  /** Restores the fields that a write to the main resource may not change, after the generic preparation. */
  readonly prepareUpdate?: (next: ResourceObject, oldObject: ResourceObject, clock?: Clock) => void;
  /** Restores the fields that a write to `status` may not change, after the generic preparation. */
  readonly prepareStatusUpdate?: (next: ResourceObject, oldObject: ResourceObject, clock?: Clock) => void;
  /** The rules of subresources, other than `status`, that write the object itself, by name. */
  readonly subresourceRules?: Readonly<Record<string, SubresourceRules>>;
  /** Completes an object whose deletion begins but has to wait. */
  readonly prepareDelete?: (object: ResourceObject) => void;
  /**
   * Whether deletion takes at least two requests: the first one only marks the object, and while it is blocked further
   * ones do nothing.
   */
  readonly deletesInPhases?: boolean;
  /** The default propagation policy. By default dependents are deleted. */
  readonly dependents?: DefaultDependents;
  /** A warning for a delete without a propagation policy. */
  readonly deleteWarning?: string;
  /** Returns the grace period in seconds for the requested one. Without this function objects have none. */
  readonly gracePeriod?: (object: ResourceObject, requested: number | undefined) => number;
  /** Whether anything other than `metadata.finalizers` prevents the removal of an object. */
  readonly heldBack?: (object: ResourceObject) => boolean;
  /** Throws when the object with this name may not be deleted. */
  readonly admitDelete?: (name: string) => void;
}
