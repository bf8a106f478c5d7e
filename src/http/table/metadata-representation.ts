import type { GroupKind } from '../../meta/group-version.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { notAcceptable } from '../../meta/status-error.ts';
import type { ListMeta, OpenList, Representation } from './representation.ts';

export interface MetadataOptions {
  /** Of the answer. */
  readonly apiVersion: string;
  /** The client wants nothing but a list. */
  readonly listsOnly: boolean;
  /** Of the objects. */
  readonly type: GroupKind;
}

/** Objects without anything but their metadata. */
export class MetadataRepresentation implements Representation {
  readonly name: string;
  readonly #options: MetadataOptions;

  constructor(options: MetadataOptions) {
    this.name = `metadata in ${options.apiVersion}`;
    this.#options = options;
  }

  one(object: ResourceObject): object {
    const { listsOnly, type } = this.#options;
    if (listsOnly) {
      throw notAcceptable(
        `you requested PartialObjectMetadataList, but the requested object is not a list (*${goType(type)})`,
      );
    }
    return this.item(object);
  }

  openList(metadata: ListMeta): OpenList {
    const { apiVersion } = this.#options;
    return { value: { kind: 'PartialObjectMetadataList', apiVersion, metadata }, field: 'items' };
  }

  item({ metadata }: ResourceObject): object {
    return { kind: 'PartialObjectMetadata', apiVersion: this.#options.apiVersion, metadata };
  }

  event(object: ResourceObject): object {
    return this.item(object);
  }

  bookmark(bookmark: ResourceObject): object {
    return this.item(bookmark);
  }
}

/** The type as kube-apiserver calls it inside: the group by its first word. */
function goType({ group, kind }: GroupKind): string {
  // The events of both groups are the same type.
  const isCore = group === '' || group === 'events.k8s.io';
  return `${isCore ? 'core' : group.split('.')[0]}.${kind}`;
}
