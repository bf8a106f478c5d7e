import { memberAt, valueEnd } from '../../codec/json/document-members.ts';
import { type GroupKind, internalPackage } from '../../meta/group-version.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { notAcceptable } from '../../meta/status-error.ts';
import { PartialObjectMetadata, PartialObjectMetadataList } from '../../schema/meta-types.ts';
import type { ListMeta, OpenList, Representation } from './representation.ts';
import { visibleMetadata } from './visible-metadata.ts';

export interface MetadataOptions {
  /** The apiVersion of the response. */
  readonly apiVersion: string;
  /** Whether the client accepts only lists. */
  readonly listsOnly: boolean;
  /** Whether the client accepts only single objects and events. By default, both kinds mean the same for a list. */
  readonly objectsOnly?: boolean;
  /** The type of the objects. */
  readonly type: GroupKind;
  readonly hiddenAnnotations?: ReadonlySet<string> | undefined;
}

const metadataName = Buffer.from('metadata');
const closing = Buffer.from('}\n');

/** Represents objects by their metadata only. */
export class MetadataRepresentation implements Representation {
  readonly name: string;
  readonly schemas = { one: PartialObjectMetadata, list: PartialObjectMetadataList, item: PartialObjectMetadata };
  readonly #options: MetadataOptions;
  #opening: Buffer | undefined = undefined;

  constructor(options: MetadataOptions) {
    this.name = `metadata in ${options.apiVersion}`;
    this.#options = options;
  }

  one(object: ResourceObject): object {
    const { listsOnly, type } = this.#options;
    if (listsOnly) {
      throw notAcceptable(
        `you requested PartialObjectMetadataList, but the requested object is not a list (*${internalPackage(type.group)}.${type.kind})`,
      );
    }
    return this.item(object);
  }

  openList(metadata: ListMeta): OpenList {
    const { apiVersion, objectsOnly, type } = this.#options;
    if (objectsOnly) {
      throw notAcceptable(
        `you requested PartialObjectMetadata, but the requested object is a list (*${internalPackage(type.group)}.${type.kind}List)`,
      );
    }
    return { value: { kind: 'PartialObjectMetadataList', apiVersion, metadata }, field: 'items' };
  }

  item({ metadata }: ResourceObject): object {
    const { apiVersion, hiddenAnnotations } = this.#options;
    return { kind: 'PartialObjectMetadata', apiVersion, metadata: visibleMetadata(metadata, hiddenAnnotations) };
  }

  /** Most clients of this representation watch all objects of a type, so it is worth avoiding to parse them. */
  cut(document: Buffer): Buffer | undefined {
    const start = memberAt(document, 0, metadataName);
    if (start < 0) return undefined;
    const metadata = document.subarray(start, valueEnd(document, start));
    for (const name of this.#options.hiddenAnnotations ?? []) if (metadata.includes(name)) return undefined;
    this.#opening ??= Buffer.from(
      `{"kind":"PartialObjectMetadata","apiVersion":${JSON.stringify(this.#options.apiVersion)},"metadata":`,
    );
    return Buffer.concat([this.#opening, metadata, closing]);
  }

  event(object: ResourceObject): object {
    return this.item(object);
  }

  bookmark(bookmark: ResourceObject): object {
    return this.item(bookmark);
  }
}
