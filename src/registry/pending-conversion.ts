import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { VersionConverter } from './resource-definition.ts';

/** How many conversions are kept for work that starts again. */
const maxKept = 64;
/** Work needs one conversion per field manager and state. Beyond this number something else is wrong. */
const maxRestarts = 200;

/** Thrown by synchronous work that needs an object in another version, which is being converted. */
class ConversionPending extends Error {
  readonly done: Promise<unknown>;

  constructor(done: Promise<unknown>) {
    super('a conversion is pending');
    this.done = done;
  }
}

/**
 * Conversions for synchronous work, such as the comparison of field owners. Where a conversion takes time, the work is
 * stopped and started again when the result is there. So it must be without effects, and ask for the same conversions
 * again.
 */
export class PendingConversions {
  readonly #converter: VersionConverter;
  readonly #kept = new Map<string, ResourceObject>();

  constructor(converter: VersionConverter) {
    this.#converter = converter;
  }

  convert(object: ResourceObject, apiVersion: string): ResourceObject {
    if (object.apiVersion === apiVersion) return object;
    const key = this.#converter.isSynchronous ? '' : `${apiVersion} ${JSON.stringify(object)}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return structuredClone(kept);
    const converted = this.#converter.convert([object], apiVersion);
    if (!(converted instanceof Promise)) return converted[0]!;
    throw new ConversionPending(converted.then(([result]) => this.#keep(key, result!)));
  }

  #keep(key: string, result: ResourceObject): void {
    if (this.#kept.size >= maxKept) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(key, result);
  }
}

/** Runs work that may need conversions, again and again until it has all of them. */
export function withConversions<T>(work: () => MaybePromise<T>): MaybePromise<T> {
  let result: MaybePromise<T>;
  try {
    result = work();
  } catch (error) {
    if (!(error instanceof ConversionPending)) throw error;
    return restarted(work, error);
  }
  if (!(result instanceof Promise)) return result;
  return result.catch((error) => {
    if (!(error instanceof ConversionPending)) throw error;
    return restarted(work, error);
  });
}

async function restarted<T>(work: () => MaybePromise<T>, first: ConversionPending): Promise<T> {
  let pending = first;
  for (let restarts = 0; restarts < maxRestarts; restarts++) {
    await pending.done;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ConversionPending)) throw error;
      pending = error;
    }
  }
  throw new Error('the field managers need too many conversions');
}
