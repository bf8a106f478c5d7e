import type { GroupVersion } from '../meta/group-version.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectFollower } from '../meta/object-follower.ts';
import type { StoredType } from '../meta/object-reader.ts';
import {
  type APIService,
  type APIServiceSpec,
  apiServiceType,
  isRemote,
  type RemoteAPIService,
} from './api-service.ts';

export interface ApiServiceSource {
  follow(type: StoredType, follower: ObjectFollower): Promise<void>;
}

/** Called after each change. One of the two is undefined when the object was created or deleted. */
export type ApiServiceListener = (
  name: string,
  current: APIService | undefined,
  before: APIService | undefined,
) => void;

/** The present APIServices. A change is known in the same step in which readers of the API see it. */
export class ApiServices {
  readonly #all = new Map<string, APIService>();
  /** Not keyed by name: `v1.a.b` could be that of `a.b/v1` or of `b/v1.a`. */
  readonly #remote = new Map<string, RemoteAPIService>();
  readonly #listeners: ApiServiceListener[] = [];

  /** Resolves when all stored ones are known. */
  async follow(
    source: ApiServiceSource,
    { onError, signal }: Pick<ObjectFollower, 'onError' | 'signal'>,
  ): Promise<void> {
    let unreported = new Set<string>();
    await source.follow(apiServiceType, {
      onReset: () => {
        unreported = new Set(this.#all.keys());
      },
      onPut: (object) => {
        unreported.delete(object.metadata.name ?? '');
        this.#put(object as APIService);
      },
      onSynced: () => {
        for (const name of unreported) this.#remove(name);
      },
      onRemove: ({ metadata }: ResourceObject) => this.#remove(metadata.name ?? ''),
      onError,
      signal,
    });
  }

  onChange(listener: ApiServiceListener): void {
    this.#listeners.push(listener);
  }

  get(name: string): APIService | undefined {
    return this.#all.get(name);
  }

  all(): Iterable<APIService> {
    return this.#all.values();
  }

  /** Yields the APIServices of other servers. */
  remote(): Iterable<RemoteAPIService> {
    return this.#remote.values();
  }

  get hasRemote(): boolean {
    return this.#remote.size > 0;
  }

  /** Undefined when the group version is served here or nowhere. */
  remoteOf(groupVersion: GroupVersion): RemoteAPIService | undefined {
    return this.#remote.get(groupVersionKey(groupVersion));
  }

  #put(object: APIService): void {
    const name = object.metadata.name ?? '';
    const before = this.#all.get(name);
    this.#all.set(name, object);
    if (isRemote(object)) this.#remote.set(groupVersionKey(object.spec), object);
    else this.#remote.delete(groupVersionKey(object.spec));
    for (const listener of this.#listeners) listener(name, object, before);
  }

  #remove(name: string): void {
    const before = this.#all.get(name);
    if (before === undefined) return;
    this.#all.delete(name);
    this.#remote.delete(groupVersionKey(before.spec));
    for (const listener of this.#listeners) listener(name, undefined, before);
  }
}

function groupVersionKey({ group = '', version }: Pick<APIServiceSpec, 'group' | 'version'>): string {
  return `${group}/${version}`;
}
