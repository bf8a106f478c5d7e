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

/** A served version of a stored type. Its parts are created on first use, because most custom types are never used. */
export class ServedVersion {
  readonly #options: ServedVersionOptions;
  /**
   * The verbs when the version began to be served. The definition of a type that is being deleted has fewer verbs, but
   * these are kept.
   */
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
