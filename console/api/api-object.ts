/** An object of the API, with the fields that the console reads from objects of any type. */
export interface ApiObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: unknown;
  readonly status?: unknown;
  readonly [field: string]: unknown;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly object[];
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Returns an object for display: kind and apiVersion come first, and managed fields are omitted. */
export function withoutManagedFields({ apiVersion, kind, ...object }: ApiObject): ApiObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...(apiVersion && { apiVersion }), ...(kind && { kind }), ...object, metadata };
}

/** Returns an object without the fields that every write changes, for comparing two versions. */
export function comparable(object: ApiObject): ApiObject {
  const { resourceVersion: _, generation: __, ...metadata } = object.metadata;
  return withoutManagedFields({ ...object, metadata });
}
