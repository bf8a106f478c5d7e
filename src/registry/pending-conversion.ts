import { encodeJson } from '../codec/json/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import { Pending } from '../meta/pending.ts';
import type { VersionConverter } from './resource-definition.ts';

/** The maximum number of conversions that are kept for work that starts again. */
const maxKept = 64;

/**
 * Conversions for synchronous work, such as the comparison of field owners. If a conversion takes time, `untilReady`
 * stops the work and starts it again when the result is available.
 */
export class PendingConversions {
  readonly #converter: VersionConverter;
  readonly #kept = new Map<string, ResourceObject>();

  constructor(converter: VersionConverter) {
    this.#converter = converter;
  }

  convert(object: ResourceObject, apiVersion: string): ResourceObject {
    if (object.apiVersion === apiVersion) return object;
    const key = this.#converter.isSynchronous ? '' : `${apiVersion} ${encodeJson(object)}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return structuredClone(kept);
    const converted = this.#converter.convert([object], apiVersion);
    if (!(converted instanceof Promise)) return converted[0]!;
    throw new Pending(
      'a conversion',
      converted.then(([result]) => this.#keep(key, result!)),
    );
  }

  #keep(key: string, result: ResourceObject): void {
    if (this.#kept.size >= maxKept) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(key, result);
  }
}
