import { encodeChanged, encodeObject, type ParsedDocument, utf8Bytes } from '../codec/json/index.ts';
import { DecodeError } from '../meta/decode-error.ts';
import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import { badRequest } from '../meta/status-error.ts';
import {
  type Allocate,
  type Decision,
  joinItems,
  type ObjectRun,
  parseDocument,
  type StoredObject,
} from '../store/index.ts';
import type { DocumentGroup } from './resource.ts';
import type { ResourceDefinition, StorageLayout } from './resource-definition.ts';
import { ServedDocuments } from './served-documents.ts';
import type { TypeVersion, TypeVersions } from './type-versions.ts';

/** Larger lists are not cached: they would evict everything else, and each other, before being read again. */
const maxKeptSize = 32 * 1024 * 1024;

/** Converts stored bytes to the objects and documents of one version of a type, and back. */
export class ObjectCodec {
  /** Undefined for types whose stored objects are all of one version. */
  readonly served: ServedDocuments | undefined;
  readonly #layout: StorageLayout;
  readonly #versions: TypeVersions<TypeVersion>;
  /**
   * The offset of a list item in its document: documents start with kind and apiVersion, which items omit. Items of
   * custom types are whole documents.
   */
  readonly #itemStart: number;

  constructor(version: TypeVersion & { definition: ResourceDefinition }, versions: TypeVersions<TypeVersion>) {
    const { apiVersion, definition, layout } = version;
    const { converter } = layout;
    this.#layout = layout;
    this.#versions = versions;
    this.#itemStart =
      definition.origin === 'custom' ? 0 : `{"kind":"${definition.kind}","apiVersion":"${apiVersion}"`.length;
    this.served =
      converter &&
      new ServedDocuments({
        apiVersion,
        converter,
        normalizeStored: (object) => versions.normalizeStored(object),
        prune: (object) => version.canonical(object),
        encode: documentOf,
      });
  }

  /**
   * Prepares stored objects for `read` and `document`, which are synchronous, while conversions to the served version may
   * take a request to a webhook. Undefined when nothing has to be awaited.
   */
  ready(objects: readonly StoredObject[]): Promise<void> | undefined {
    return this.served?.ready(objects);
  }

  /** Whether any stored object can be read without `ready`. */
  get readsAtOnce(): boolean {
    return this.#layout.converter?.isSynchronous ?? true;
  }

  /** Returns a new copy in the served version. */
  read(stored: StoredObject): ResourceObject {
    if (this.served !== undefined) return parseDocument(this.served.document(stored));
    return this.#versions.fromStored(stored.parse());
  }

  /** The JSON document that clients get, with a trailing line feed. */
  document(stored: StoredObject): Buffer {
    if (this.served !== undefined) return this.served.document(stored);
    return this.#layout.conversion === undefined ? stored.bytes : documentOf(this.read(stored));
  }

  /** Like `document`, with another resourceVersion. */
  documentAt(stored: StoredObject, revision: number): Buffer {
    if (stored.revision === revision) return this.document(stored);
    if (this.served === undefined || this.served.isAsStored(stored)) {
      return this.document(stored.withRevision(revision));
    }
    const object = this.read(stored);
    object.metadata.resourceVersion = String(revision);
    return documentOf(object);
  }

  /** Like `document`, for an object that is not or no longer stored. */
  documentOf(object: ResourceObject): Buffer {
    return documentOf(this.#versions.fromStored(this.#versions.toStored(object)));
  }

  /** Like `documentOf`, for the result of a dry run: without what the stored version has no field for. */
  documentOfDryRun(object: ResourceObject): MaybePromise<Buffer> {
    const { served } = this;
    if (served === undefined || !this.#versions.needsConverter) return this.documentOf(object);
    return mapMaybe(this.#versions.convertToStored(object), (stored) => served.documentOf(stored));
  }

  /** The items of a list in groups, each item preceded by a comma. */
  *items(runs: readonly ObjectRun[], allocate: Allocate): Generator<Buffer> {
    const itemStart = this.#itemStart;
    if (this.#layout.conversion !== undefined) {
      for (const run of runs) yield joinItems(this.#documentsOf(run), itemStart, allocate);
      return;
    }
    let size = 0;
    for (const { bytes } of runs) size += bytes;
    for (const run of runs) {
      if (this.#isAsStored(run)) yield run.items(itemStart, { allocate, keep: size <= maxKeptSize });
      else yield joinItems(this.#documentsOf(run), itemStart, allocate);
    }
  }

  /** The documents of a list, in groups. */
  *documents(runs: readonly ObjectRun[]): Generator<DocumentGroup> {
    for (const run of runs) {
      const isStored = this.#layout.conversion === undefined && this.#isAsStored(run);
      yield { identity: isStored ? run.identity : undefined, documents: () => this.#documentsOf(run) };
    }
  }

  #isAsStored({ objects }: ObjectRun): boolean {
    const { served } = this;
    return served === undefined || objects.every((object) => served.isAsStored(object));
  }

  #documentsOf({ objects }: ObjectRun): Buffer[] {
    return objects.map((object) => this.document(object));
  }

  /** The decision to store an object of the served version. Members of the old document are not encoded again. */
  put(object: ResourceObject, oldDocument?: ParsedDocument): MaybePromise<Decision> {
    const versions = this.#versions;
    if (!versions.needsConverter) {
      const stored = versions.toStored(object);
      return { action: 'put', value: storedBytes(stored, oldDocument), object: stored };
    }
    return mapMaybe(versions.convertToStored(object), (stored): Decision => {
      return { action: 'put', value: storedBytes(stored), object: stored };
    });
  }
}

function documentOf(object: ResourceObject): Buffer {
  return utf8Bytes(`${encoded(object)}\n`);
}

/** Encodes an object of the stored version, without its resourceVersion. */
function storedBytes(object: ResourceObject, oldDocument?: ParsedDocument): Buffer {
  const { metadata } = object;
  const { resourceVersion } = metadata;
  // Restored below. Copying the object would cost more than encoding it.
  metadata.resourceVersion = undefined;
  try {
    return oldDocument === undefined ? utf8Bytes(encoded(object)) : encodeChanged(object, oldDocument);
  } finally {
    metadata.resourceVersion = resourceVersion;
  }
}

/** Only a client can send an object that is too deeply nested to be encoded. */
function encoded(object: ResourceObject): string {
  try {
    return encodeObject(object);
  } catch (error) {
    throw error instanceof DecodeError ? badRequest(error.message, { cause: error }) : error;
  }
}
