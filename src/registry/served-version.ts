import { objectResource } from './object-resource.ts';
import type { Resource, Verbs } from './resource.ts';
import type { ResourceContext } from './resource-context.ts';
import type { ResourceDefinition } from './resource-definition.ts';

export interface ServedVersionOptions {
  readonly definition: ResourceDefinition;
  /** Called once, when the version is first used. */
  readonly context: () => ResourceContext;
  /** The verbs of subresources that the definition does not describe. */
  readonly special: (name: string) => Verbs | undefined;
}

/** A served version of a stored type. Its parts are created when it is first used: most of many custom types never are. */
export class ServedVersion {
  readonly #options: ServedVersionOptions;
  /** Those of the time at which it began to be served. A type that is being deleted has fewer, and keeps these. */
  readonly #verbs: ResourceDefinition['verbs'];
  #context: ResourceContext | undefined;
  #resource: Resource | undefined;

  constructor(options: ServedVersionOptions) {
    this.#options = options;
    this.#verbs = options.definition.verbs;
  }

  /** Undefined until the version is used. */
  get used(): ResourceContext | undefined {
    return this.#context;
  }

  get context(): ResourceContext {
    this.#context ??= this.#options.context();
    return this.#context;
  }

  get resource(): Resource {
    this.#resource ??= this.#create();
    return this.#resource;
  }

  #create(): Resource {
    return objectResource(this.context, { special: this.#options.special, verbs: this.#verbs });
  }
}
