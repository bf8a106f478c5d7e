import type { Counter, Family, Meter } from '../meta/meter.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectReader } from '../meta/object-reader.ts';
import type { ResourceSet } from '../registry/index.ts';
import { isEstablished, specOf } from '../resources/apiextensions/definition-parts.ts';
import { ExpressionMetrics } from '../schema/rules/index.ts';
import { CustomType, type MakeConverter } from './custom-type.ts';
import { parseDefinition } from './parse-definition.ts';

export const definitionType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
} as const satisfies Parameters<ObjectReader['get']>[0];

export interface CustomResourcesOptions {
  readonly resources: ResourceSet;
  readonly makeConverter: MakeConverter;
  /** Measures the rules of schemas. */
  readonly meter: Meter;
  /** Called after each change of a definition, with its name. */
  readonly onDefinition: (name: string) => void;
  readonly onError: (error: Error) => void;
}

/**
 * Serves the types of the established definitions. A type is served in the same step in which the new state of its
 * definition becomes visible, so that a client that sees the condition can use the type.
 */
export class CustomResources {
  readonly #options: CustomResourcesOptions;
  readonly #definitions = new Map<string, ResourceObject>();
  readonly #byGroup = new Map<string, Map<string, ResourceObject>>();
  readonly #types = new Map<string, CustomType>();
  readonly #metrics: ExpressionMetrics;
  readonly #openApiChanges: OpenApiChanges;

  constructor(options: CustomResourcesOptions) {
    this.#options = options;
    this.#metrics = new ExpressionMetrics(options.meter);
    this.#openApiChanges = new OpenApiChanges(options.meter);
  }

  /** The definitions by name. The objects are shared and must not be changed. */
  get definitions(): ReadonlyMap<string, ResourceObject> {
    return this.#definitions;
  }

  /** Like `definitions`, for one group. */
  definitionsOf(group: string): ReadonlyMap<string, ResourceObject> {
    return this.#byGroup.get(group) ?? new Map();
  }

  /** Resolves when the types of all stored definitions are served. */
  async follow(signal: AbortSignal): Promise<void> {
    let unreported = new Set<string>();
    await this.#options.resources.follow(definitionType, {
      onReset: () => {
        unreported = new Set(this.#definitions.keys());
      },
      read: parseDefinition,
      onPut: (object) => {
        unreported.delete(nameOf(object));
        this.#put(object);
      },
      onSynced: () => {
        // Definitions that are not reported again were deleted in the meantime.
        for (const name of unreported) this.#remove(name);
      },
      onRemove: (object) => this.#remove(nameOf(object)),
      onError: this.#options.onError,
      signal,
    });
  }

  #put(object: ResourceObject): void {
    const name = nameOf(object);
    const before = this.#definitions.get(name);
    this.#definitions.set(name, object);
    const group = groupOf(name);
    const others = this.#byGroup.get(group) ?? new Map<string, ResourceObject>();
    this.#byGroup.set(group, others.set(name, object));
    if (isEstablished(object)) this.#serve(name, object, before);
    else this.#withdraw(name);
    this.#options.onDefinition(name);
  }

  #remove(name: string): void {
    const object = this.#definitions.get(name);
    if (object !== undefined && this.#types.has(name)) this.#openApiChanges.changed(object, 'remove');
    this.#definitions.delete(name);
    const others = this.#byGroup.get(groupOf(name));
    others?.delete(name);
    if (others?.size === 0) this.#byGroup.delete(groupOf(name));
    this.#withdraw(name);
    this.#options.onDefinition(name);
  }

  #serve(name: string, object: ResourceObject, before: ResourceObject | undefined): void {
    const { resources, makeConverter } = this.#options;
    const { group = '', names } = specOf(object);
    const known = this.#types.get(name);
    const type = known ?? new CustomType({ group, resource: names?.plural ?? '' }, makeConverter, this.#metrics);
    this.#types.set(name, type);
    const isChanged = before?.metadata.generation !== object.metadata.generation;
    if (known === undefined || isChanged) this.#openApiChanges.changed(object, known === undefined ? 'add' : 'update');
    resources.serve(type.update(object));
  }

  #withdraw(name: string): void {
    const type = this.#types.get(name);
    if (type === undefined) return;
    this.#types.delete(name);
    this.#options.resources.withdraw(type);
  }
}

function nameOf({ metadata }: ResourceObject): string {
  return metadata.name ?? '';
}

/** Definitions are named by their plural and their group. */
export function groupOf(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}

/** Counts the changes that make parts of the OpenAPI documents outdated, under the names of kube-apiserver. */
class OpenApiChanges {
  readonly #v2: Family<Counter>;
  readonly #v3: Family<Counter>;

  constructor(meter: Meter) {
    this.#v2 = meter.counter({
      name: 'apiextensions_openapi_v2_regeneration_count',
      help: 'Changes of definitions that the OpenAPI v2 document follows.',
      labels: ['crd', 'reason'],
      together: 'most',
    });
    this.#v3 = meter.counter({
      name: 'apiextensions_openapi_v3_regeneration_count',
      help: 'Changes of definitions that an OpenAPI v3 document follows.',
      labels: ['group', 'version', 'crd', 'reason'],
      together: 'most',
    });
  }

  changed(definition: ResourceObject, reason: 'add' | 'update' | 'remove'): void {
    const name = nameOf(definition);
    const { group = '', versions } = specOf(definition);
    this.#v2.of(name, reason).add();
    for (const version of versions ?? [])
      if (version.served) this.#v3.of(group, version.name ?? '', name, reason).add();
  }
}
