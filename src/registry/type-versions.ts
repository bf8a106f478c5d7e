import { apiVersionOf } from '../meta/group-version.ts';
import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import { untilReady } from '../meta/pending.ts';
import { type CompiledKind, Findings } from '../schema/normalize/index.ts';
import type { FieldOwnership } from './field-ownership.ts';
import { PendingConversions } from './pending-conversion.ts';
import type { StorageLayout } from './resource-definition.ts';

/** One version of a type, served or not. */
export interface TypeVersion {
  readonly apiVersion: string;
  readonly layout: StorageLayout;
  readonly compiled: CompiledKind;
  readonly ownership: Pick<FieldOwnership, 'shape'>;
  /** Normalizes an object that the server has changed, with fields in canonical order. */
  canonical(object: ResourceObject): ResourceObject;
}

/**
 * The versions of a type, and the conversions of its objects to and from one of them. Conversions change only values.
 * The canonical form then determines the order of fields and the fields that are always written, so that equal objects
 * have equal bytes regardless of the version in which they were written.
 */
export class TypeVersions<Version extends TypeVersion> {
  readonly #own: Version;
  readonly #all: () => readonly Version[];
  /** Undefined for types whose stored objects are all of one version. */
  readonly #conversions: PendingConversions | undefined;
  /** Whether objects of this version must be converted by the converter of the type before they are stored. */
  readonly needsConverter: boolean;

  /** `all` returns all versions of the type, including this one. It is called when one is needed. */
  constructor(own: Version, all: () => readonly Version[]) {
    const { apiVersion, layout } = own;
    this.#own = own;
    this.#all = all;
    this.#conversions = layout.converter && new PendingConversions(layout.converter);
    this.needsConverter = layout.converter !== undefined && apiVersion !== apiVersionOf(layout);
  }

  get all(): readonly Version[] {
    return this.#all();
  }

  /** Undefined when the type has no such version. */
  find(apiVersion: string): Version | undefined {
    return this.#all().find((version) => version.apiVersion === apiVersion);
  }

  /** Returns the object in the stored version, unless the conversion needs the converter. */
  toStored(object: ResourceObject): ResourceObject {
    const { layout } = this.#own;
    if (layout.conversion === undefined) return object;
    const stored = layout.conversion.toStored(object);
    return this.find(apiVersionOf(layout))?.canonical(stored) ?? stored;
  }

  fromStored(stored: ResourceObject): ResourceObject {
    const { conversion } = this.#own.layout;
    return conversion === undefined ? stored : this.#own.canonical(conversion.fromStored(stored));
  }

  /** Returns the object in the stored version, using the converter. */
  convertToStored(object: ResourceObject): MaybePromise<ResourceObject> {
    const { layout } = this.#own;
    const apiVersion = apiVersionOf(layout);
    // A copy, because the object is used again when another writer is faster.
    const converted = layout.converter!.convert([structuredClone(object)], apiVersion);
    return mapMaybe(converted, ([stored]) => this.find(apiVersion)?.canonical(stored!) ?? stored!);
  }

  /**
   * Normalizes an object by the schema of its version. Conversion rejects an object whose version the type does not
   * have.
   */
  normalizeStored(object: ResourceObject): ResourceObject {
    const version = this.find(object.apiVersion ?? '');
    return version?.compiled.normalize(object, new Findings()) ?? object;
  }

  /** Returns a copy of an object of this version in another version. */
  copyIn(apiVersion: string, object: ResourceObject): MaybePromise<ResourceObject> {
    const to = this.find(apiVersion);
    if (to === undefined || to === this.#own) return structuredClone(object);
    return untilReady(() => to.canonical(this.#convert(structuredClone(object), { from: this.#own, to })));
  }

  /**
   * Returns a copy of an object in another version, and the shape of that version, for field ownership. Undefined when
   * one of the versions does not exist. Throws `Pending` while a conversion takes time.
   */
  ownedIn(apiVersion: string, object: ResourceObject) {
    const from = this.find(object.apiVersion ?? this.#own.apiVersion);
    const to = this.find(apiVersion);
    if (from === undefined || to === undefined) return undefined;
    const converted = this.#convert(structuredClone(object), { from, to });
    const findings = new Findings();
    const canonical = to.compiled.normalize(converted, findings, { defaults: false });
    const isPruned = this.#conversions !== undefined && findings.texts.length > 0;
    return { shape: to.ownership.shape, object: canonical as Record<string, unknown>, isPruned };
  }

  #convert(object: ResourceObject, { from, to }: { from: Version; to: Version }): ResourceObject {
    if (this.#conversions !== undefined) return this.#conversions.convert(object, to.apiVersion);
    const stored = from.layout.conversion?.toStored(object) ?? object;
    return to.layout.conversion?.fromStored(stored) ?? stored;
  }
}
