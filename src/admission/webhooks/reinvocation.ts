import { isJsonEqual } from '../../meta/json-object.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { MutationPass } from '../admission-plugin.ts';

/**
 * Which webhooks are called again in the second run of the mutation phase: those that request it and were called before
 * the object was changed again.
 */
export class Reinvocation {
  /** The webhooks that were called, if nothing has changed the object since. */
  readonly #called = new Set<string>();
  readonly #outdated = new Set<string>();
  /** The object at the end of the first run. */
  #output: ResourceObject | undefined;

  /** Returns the state of the request that is in the mutation phase. */
  static of({ memory, isReinvocation }: MutationPass, plugin: string, object: ResourceObject): Reinvocation {
    const known = memory.get(plugin) as Reinvocation | undefined;
    const reinvocation = known ?? new Reinvocation();
    memory.set(plugin, reinvocation);
    if (isReinvocation) reinvocation.#begin(object);
    return reinvocation;
  }

  #begin(object: ResourceObject): void {
    if (this.#called.size > 0 && !isJsonEqual(this.#output, object)) this.changed();
  }

  /** Whether a webhook that matches in the second run is called. */
  isDue(id: string): boolean {
    return this.#outdated.has(id);
  }

  /** Must be called after each change of the object. */
  changed(): void {
    for (const id of this.#called) this.#outdated.add(id);
    this.#called.clear();
  }

  /** Must be called after each call of a webhook that can be called again. */
  called(id: string): void {
    this.#called.add(id);
  }

  end(object: ResourceObject): void {
    // A copy, because other plugins change the object in place.
    if (this.#called.size > 0) this.#output = structuredClone(object);
  }
}
