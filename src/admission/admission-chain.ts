import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { AdmissionPlugin, AdmissionRequest, ObjectReader } from './admission-plugin.ts';

type Step = (request: AdmissionRequest, objects: ObjectReader) => MaybePromise<void>;

interface Steps {
  readonly mutate: readonly Step[];
  readonly validate: readonly Step[];
}

const none: Steps = { mutate: [], validate: [] };

/** The plugins in their order. A resource that no plugin is about costs one lookup. */
export class AdmissionChain {
  readonly #objects: ObjectReader;
  readonly #steps = new Map<string, Steps>();

  constructor(plugins: readonly AdmissionPlugin[], objects: ObjectReader) {
    this.#objects = objects;
    for (const resource of new Set(plugins.flatMap(({ resources }) => resources))) {
      const concerned = plugins.filter(({ resources }) => resources.includes(resource));
      this.#steps.set(resource, {
        mutate: concerned.flatMap(({ mutate }) => mutate ?? []),
        validate: concerned.flatMap(({ validate }) => validate ?? []),
      });
    }
  }

  /** Whether any plugin has a say about this resource or one of its subresources. */
  concerns({ group, resource }: Pick<AdmissionRequest, 'group' | 'resource'>): boolean {
    const name = `${group}/${resource}`;
    return [...this.#steps.keys()].some((known) => known === name || known.startsWith(`${name}/`));
  }

  /** Whether `mutate` may change objects of this resource. */
  mutates(request: Pick<AdmissionRequest, 'group' | 'resource' | 'subresource'>): boolean {
    return this.#stepsFor(request).mutate.length > 0;
  }

  mutate(request: AdmissionRequest): MaybePromise<void> {
    return this.#run(this.#stepsFor(request).mutate, request);
  }

  validate(request: AdmissionRequest): MaybePromise<void> {
    return this.#run(this.#stepsFor(request).validate, request);
  }

  #stepsFor({ group, resource, subresource }: Pick<AdmissionRequest, 'group' | 'resource' | 'subresource'>): Steps {
    return this.#steps.get(`${group}/${resource}${subresource === '' ? '' : `/${subresource}`}`) ?? none;
  }

  #run(steps: readonly Step[], request: AdmissionRequest): MaybePromise<void> {
    for (const [index, step] of steps.entries()) {
      const result = step(request, this.#objects);
      if (result instanceof Promise) return result.then(() => this.#run(steps.slice(index + 1), request));
    }
  }
}
