import type { StorageLayout } from './resource-definition.ts';

/** The namespace and name of an object. The namespace is empty for cluster-scoped ones. */
export interface ItemName {
  readonly namespace: string;
  readonly name: string;
}

/** The keys under which the objects of a type are stored. The layout is the one of kube-apiserver in etcd. */
export class ObjectKeys {
  readonly #root: string;

  constructor(layout: StorageLayout) {
    this.#root = storageRoot(layout);
  }

  of(namespace: string, name: string): string {
    return this.prefix(namespace) + name;
  }

  /** The key prefix of a namespace, or of all namespaces when it is empty. */
  prefix(namespace: string): string {
    return namespace === '' ? this.#root : `${this.#root}${namespace}/`;
  }

  /** The key relative to the prefix of a namespace. */
  relative(namespace: string, key: string): string {
    return key.slice(this.prefix(namespace).length);
  }

  /** The namespace and name of the object with this key. */
  itemName(key: string): ItemName {
    const [name = '', namespace = ''] = key.slice(this.#root.length).split('/').reverse();
    return { namespace, name };
  }
}

/** The key prefix of a type, with a trailing slash. */
export function storageRoot(layout: StorageLayout): string {
  return `/registry/${layout.keyPrefix}/`;
}
