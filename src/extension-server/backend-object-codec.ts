import { hash } from 'node:crypto';
import { encodeJson } from '../codec/json/index.ts';
import { apiVersionOf, type GroupResource } from '../meta/group-version.ts';
import type { ObjectMeta, ResourceObject } from '../meta/object.ts';
import { internalError } from '../meta/status-error.ts';
import type { BackendObject, Listing } from './define-resource.ts';

/** The namespace is empty for types without namespaces. */
export interface ItemName {
  readonly namespace: string;
  readonly name: string;
}

export interface BackendObjectCodecOptions {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
  /** The key prefix of the type. Ends with a slash. */
  readonly prefix: string;
}

/** Encodes the objects of a backend as the documents that clients get, and determines their keys. */
export class BackendObjectCodec {
  readonly groupResource: GroupResource;
  readonly prefix: string;
  readonly #kind: string;
  readonly #apiVersion: string;
  readonly #namespaced: boolean;

  constructor({ group, version, kind, resource, namespaced, prefix }: BackendObjectCodecOptions) {
    this.groupResource = { group, resource };
    this.prefix = prefix;
    this.#kind = kind;
    this.#apiVersion = apiVersionOf({ group, version });
    this.#namespaced = namespaced;
  }

  /** The namespace and name in a key. */
  item(key: string): ItemName {
    const [name = '', namespace = ''] = key.slice(this.prefix.length).split('/').reverse();
    return { namespace, name };
  }

  /** The namespace of a key prefix. Empty for all. */
  namespaceOf(prefix: string): string {
    return prefix.slice(this.prefix.length, -1);
  }

  /** Throws for an object without the name or namespace that the type needs: a fault of the backend. */
  keyOf(object: BackendObject): string {
    const { name, namespace } = (object?.metadata ?? {}) as ObjectMeta;
    if (!isSegment(name)) throw this.fault('an object without a name');
    if (!this.#namespaced) return this.prefix + name;
    if (!isSegment(namespace)) throw this.fault(`${name} without a namespace`);
    return `${this.prefix}${namespace}/${name}`;
  }

  /** The content of a list in either notation. */
  listed(listing: Listing<BackendObject>): { items: readonly BackendObject[]; resourceVersion?: string } {
    if (Array.isArray(listing)) return { items: listing };
    const { items, resourceVersion } = (listing ?? {}) as Exclude<typeof listing, readonly BackendObject[]>;
    if (!Array.isArray(items)) throw this.fault('no list');
    return { items, ...(resourceVersion !== undefined && { resourceVersion }) };
  }

  /** The JSON document that clients get, with a trailing line feed. */
  document(object: BackendObject): Buffer {
    const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = object as ResourceObject;
    return this.#encoded({ metadata, ...rest }, '\n');
  }

  /**
   * The value for storage: without a version, and with a uid before all fields that the backend chooses. An object
   * without a uid gets one that stays the same for the lifetime of the object.
   */
  value(object: BackendObject): Buffer {
    const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = object as ResourceObject;
    const { name, namespace, uid = this.#derivedUid(object), resourceVersion: _version, ...others } = metadata;
    return this.#encoded({ metadata: { name, namespace, uid, ...others }, ...rest }, '');
  }

  #encoded(object: object, end: string): Buffer {
    try {
      return Buffer.from(encodeJson({ kind: this.#kind, apiVersion: this.#apiVersion, ...object }) + end);
    } catch (cause) {
      throw this.fault(`an object that is not JSON (${(cause as Error).message})`, cause);
    }
  }

  #derivedUid(object: BackendObject): string {
    const { creationTimestamp = '' } = object.metadata as ObjectMeta;
    const digest = hash('sha256', `${this.keyOf(object)} ${creationTimestamp}`, 'hex');
    const groups = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, `8${digest.slice(17, 20)}`];
    return [...groups, digest.slice(20, 32)].join('-');
  }

  /** The error for something that a backend must not return. */
  fault(what: string, cause?: unknown): Error {
    const { group, resource } = this.groupResource;
    return internalError(`the backend of ${resource}.${group} returned ${what}`, { cause });
  }
}

function isSegment(text: unknown): text is string {
  return typeof text === 'string' && text !== '' && !text.includes('/');
}
