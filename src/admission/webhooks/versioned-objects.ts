import { encodeJson } from '../../codec/json/index.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { AdmissionRequest, AdmissionTarget } from '../admission-request.ts';

/**
 * The objects of a request in the versions that webhooks require, each converted and encoded once. Deletions have no
 * new object.
 */
export class VersionedObjects {
  readonly #request: AdmissionRequest;
  readonly #old = new Map<AdmissionTarget, VersionedObject>();
  #new = new Map<AdmissionTarget, VersionedObject>();
  /** The new object in the version in which it was changed last. */
  #current: { readonly object: ResourceObject; readonly target: AdmissionTarget };
  #isReplaced = false;

  constructor(request: AdmissionRequest) {
    this.#request = request;
    this.#current = request;
  }

  /** Undefined for a deletion. */
  async newIn(target: AdmissionTarget): Promise<VersionedObject | undefined> {
    if (this.#request.operation === 'DELETE') return undefined;
    return versioned(this.#new, { ...this.#current, to: target });
  }

  async oldIn(target: AdmissionTarget): Promise<VersionedObject | undefined> {
    const { oldObject: object, target: from } = this.#request;
    return object && versioned(this.#old, { object, target: from, to: target });
  }

  /** Replaces the new object by another one in some version. */
  replace(object: ResourceObject, target: AdmissionTarget): void {
    this.#current = { object, target };
    this.#new = new Map();
    this.#isReplaced = true;
  }

  /** The new object in the version of the request. Undefined when it was not replaced. */
  async replaced(): Promise<ResourceObject | undefined> {
    if (!this.#isReplaced) return undefined;
    const { object, target } = this.#current;
    return converted(object, { from: target, to: this.#request.target });
  }
}

export class VersionedObject {
  readonly object: ResourceObject;
  #text: string | undefined;

  constructor(object: ResourceObject) {
    this.object = object;
  }

  /** JSON. */
  get text(): string {
    this.#text ??= encodeJson(this.object);
    return this.#text;
  }
}

interface RequestedVersion {
  readonly object: ResourceObject;
  readonly target: AdmissionTarget;
  readonly to: AdmissionTarget;
}

async function versioned(
  known: Map<AdmissionTarget, VersionedObject>,
  { object, target: from, to }: RequestedVersion,
): Promise<VersionedObject> {
  const found = known.get(to) ?? new VersionedObject(await converted(object, { from, to }));
  known.set(to, found);
  return found;
}

function converted(
  object: ResourceObject,
  { from, to }: { readonly from: AdmissionTarget; readonly to: AdmissionTarget },
): MaybePromise<ResourceObject> {
  return from === to ? object : from.objects.convert(object, to);
}
