import { isDeepStrictEqual } from 'node:util';

/** The fields of an object that the test reads. Other fields are only compared. */
export interface ApiObject {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: { readonly nodeName?: string };
  readonly status?: { readonly phase?: string };
}

export interface WatchEvent {
  readonly type: string;
  readonly object: ApiObject;
}

export function keyOf({ metadata }: ApiObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}

export function versionOf({ metadata }: ApiObject): number {
  return Number(metadata.resourceVersion);
}

export function withVersion(object: ApiObject, version: number): ApiObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
}

/** Compares two objects without their kind, because items of lists have none. */
export function sameObject(one: ApiObject, other: ApiObject): boolean {
  const { kind: _kind, apiVersion: _apiVersion, ...left } = one;
  const { kind: _otherKind, apiVersion: _otherApiVersion, ...right } = other;
  return isDeepStrictEqual(left, right);
}

export function inKeyOrder(objects: Iterable<ApiObject>): ApiObject[] {
  return [...objects].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Describes an event shortly enough for a message, with enough detail to find it in a log. */
export function describeEvent({ type, object }: WatchEvent): string {
  return `${type} ${keyOf(object)} at ${object.metadata.resourceVersion}`;
}
