import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { ObjectReader } from '../meta/object-reader.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission-plugin.ts';

type Step = (request: AdmissionRequest, objects: ObjectReader) => MaybePromise<void>;

interface Steps {
  readonly mutate: readonly Step[];
  readonly validate: readonly Step[];
}

const none: Steps = { mutate: [], validate: [] };
const every = '*';

/** The plugins in their order. A resource that no plugin is about costs one lookup. */
export class AdmissionChain {
  readonly #objects: ObjectReader;
  readonly #steps = new Map<string, Steps>();
  /** For new objects of the resources that no plugin names. */
  readonly #others: Steps;
  readonly #deletes = new Map<string, readonly Step[]>();

  constructor(plugins: readonly AdmissionPlugin[], objects: ObjectReader) {
    this.#objects = objects;
    for (const resource of new Set(plugins.flatMap(({ resources }) => resources))) {
      this.#steps.set(resource, stepsFor(resource, plugins));
    }
    this.#others = stepsFor(every, plugins);
    const deleting = plugins.filter(({ admitsDeletes }) => admitsDeletes);
    for (const resource of new Set(deleting.flatMap(({ resources }) => resources))) {
      const { mutate, validate } = stepsFor(resource, deleting);
      this.#deletes.set(resource, [...mutate, ...validate]);
    }
  }

  /** Whether any plugin has a say about this resource or one of its subresources when this is done with it. */
  concerns(
    { group, resource }: Pick<AdmissionRequest, 'group' | 'resource'>,
    operation: AdmissionRequest['operation'] = 'CREATE',
  ): boolean {
    if (operation === 'CREATE' && this.#steps.has(every)) return true;
    const name = `${group}/${resource}`;
    if (operation === 'DELETE') return this.#deletes.has(name);
    return [...this.#steps.keys()].some((known) => known === name || known.startsWith(`${name}/`));
  }

  mutate(request: AdmissionRequest): MaybePromise<void> {
    return this.#run(this.#stepsFor(request).mutate, request);
  }

  validate(request: AdmissionRequest): MaybePromise<void> {
    return this.#run(this.#stepsFor(request).validate, request);
  }

  /** Everything that there is to say before an object is deleted. */
  admitDelete(request: AdmissionRequest): MaybePromise<void> {
    return this.#run(this.#deletes.get(`${request.group}/${request.resource}`) ?? [], request);
  }

  #stepsFor({ group, resource, subresource }: Pick<AdmissionRequest, 'group' | 'resource' | 'subresource'>): Steps {
    if (subresource !== '') return this.#steps.get(`${group}/${resource}/${subresource}`) ?? none;
    return this.#steps.get(`${group}/${resource}`) ?? this.#others;
  }

  #run(steps: readonly Step[], request: AdmissionRequest, first = 0): MaybePromise<void> {
    for (let index = first; index < steps.length; index++) {
      const result = steps[index]!(request, this.#objects);
      if (result instanceof Promise) return result.then(() => this.#run(steps, request, index + 1));
    }
  }
}

function stepsFor(resource: string, plugins: readonly AdmissionPlugin[]): Steps {
  const isMain = resource.indexOf('/') === resource.lastIndexOf('/');
  const concerned = plugins.filter(
    ({ resources }) => resources.includes(resource) || (isMain && resources.includes(every)),
  );
  return {
    mutate: concerned.flatMap(({ mutate }) => mutate ?? []),
    validate: concerned.flatMap(({ validate }) => validate ?? []),
  };
}
