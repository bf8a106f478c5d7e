import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import type { ObjectReader } from '../meta/object-reader.ts';
import type { AdmissionPlugin, AdmissionRule } from './admission-plugin.ts';
import type { AdmissionOperation, AdmissionRequest, AdmissionTarget } from './admission-request.ts';

type Step = (request: AdmissionRequest, objects: ObjectReader) => MaybePromise<void>;

interface Steps {
  readonly mutate: readonly Step[];
  readonly validate: readonly Step[];
}

/** The admission plugins in order. A request that concerns no plugin costs one lookup. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #objects: ObjectReader;
  /** The applicable plugins by operation and resource, filled on first use. */
  readonly #steps = new Map<string, Steps>();

  constructor(plugins: readonly AdmissionPlugin[], objects: ObjectReader) {
    this.#plugins = plugins;
    this.#objects = objects;
  }

  /** Whether any plugin applies to such requests. */
  concerns(operation: AdmissionOperation, target: AdmissionTarget): boolean {
    const { mutate, validate } = this.#stepsFor(operation, target);
    return mutate.length > 0 || validate.length > 0;
  }

  mutate(request: AdmissionRequest): MaybePromise<void> {
    return this.#run(this.#stepsFor(request.operation, request).mutate, request);
  }

  validate(request: AdmissionRequest): MaybePromise<void> {
    return this.#run(this.#stepsFor(request.operation, request).validate, request);
  }

  /** Runs both phases, for requests without work in between, such as a deletion. */
  admit(request: AdmissionRequest): MaybePromise<void> {
    return mapMaybe(this.mutate(request), () => this.validate(request));
  }

  #stepsFor(operation: AdmissionOperation, { resource: { group, resource }, subresource }: AdmissionTarget): Steps {
    const key = `${operation} ${group}/${resource}/${subresource}`;
    const known = this.#steps.get(key);
    if (known !== undefined) return known;
    const path = subresource === '' ? `${group}/${resource}` : `${group}/${resource}/${subresource}`;
    const patterns = [path, ...(subresource === '' ? ['*'] : []), '*/*'];
    const matches = ({ operations, resources }: AdmissionRule): boolean =>
      operations.includes(operation) && patterns.some((pattern) => resources.includes(pattern));
    const asked = this.#plugins.filter(({ rules }) => rules.some(matches));
    const steps = {
      mutate: asked.flatMap(({ mutate }) => mutate ?? []),
      validate: asked.flatMap(({ validate }) => validate ?? []),
    };
    this.#steps.set(key, steps);
    return steps;
  }

  #run(steps: readonly Step[], request: AdmissionRequest, first = 0): MaybePromise<void> {
    for (let index = first; index < steps.length; index++) {
      const result = steps[index]!(request, this.#objects);
      if (result instanceof Promise) return result.then(() => this.#run(steps, request, index + 1));
    }
  }
}
