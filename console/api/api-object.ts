/** An object of the API, as far as the console reads all of them. */
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

/** An object as a person reads it: what it is comes first, and nothing says who set its fields. */
export function withoutManagedFields({ apiVersion, kind, ...object }: ApiObject): ApiObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...(apiVersion && { apiVersion }), ...(kind && { kind }), ...object, metadata };
}

/** An object without what every write changes, to compare two versions of it. */
export function comparable(object: ApiObject): ApiObject {
  const { resourceVersion: _, generation: __, ...metadata } = object.metadata;
  return withoutManagedFields({ ...object, metadata });
}
