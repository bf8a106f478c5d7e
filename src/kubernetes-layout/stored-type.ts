import { apiVersionOf } from '../meta/group-version.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ResourceDefinition } from '../registry/resource-definition.ts';
import { builtInResources, optionalResources } from '../resources/index.ts';
import type { StructSchema } from '../schema/model.ts';
import { type CompiledKind, compileKind, Findings } from '../schema/normalize/index.ts';
import { definitionVersion, fromV1beta1, toV1beta1 } from './definition-v1beta1.ts';
import { isCustomKey, keyGroup } from './keys.ts';
import { retiredShapes } from './retired-shapes.ts';

/** kube-apiserver's sub-servers for these types always write JSON. */
const jsonGroups = ['apiextensions.k8s.io', 'apiregistration.k8s.io'];

/** A built-in type: the version in which the registry stores it, and the one in which kube-apiserver does. */
export class StoredType {
  readonly kind: string;
  /** The apiVersion that kube-apiserver stores. */
  readonly apiVersion: string;
  readonly alwaysJson: boolean;
  readonly #versions: ReadonlyMap<string, TypeVersion>;
  readonly #own: TypeVersion;
  readonly #isDefinition: boolean;

  /** `definitions` are all versions of one type. */
  constructor(definitions: readonly ResourceDefinition[]) {
    const { group, version, kind, hashVersion, keyPrefix } = definitions[0]!.storage!;
    const versions = definitions.map((definition) => new TypeVersion(definition));
    this.kind = kind;
    this.apiVersion = apiVersionOf({ group, version: hashVersion || version });
    this.alwaysJson = jsonGroups.includes(group);
    this.#versions = new Map(versions.map((one) => [one.apiVersion, one]));
    this.#own = this.#versions.get(apiVersionOf({ group, version }))!;
    this.#isDefinition = keyPrefix === 'apiextensions.k8s.io/customresourcedefinitions';
  }

  /** The schema of a version for decoding protobuf. Undefined when the version cannot be read. */
  schemaOf(apiVersion: string): StructSchema | undefined {
    return this.#version(apiVersion)?.schema;
  }

  /** Whether objects of the version can be read. */
  reads(apiVersion: string): boolean {
    return this.#version(apiVersion) !== undefined || this.#isRetiredDefinition(apiVersion);
  }

  /**
   * Returns the object as the registry stores it, from any version that can be read. Defaults of its version are
   * applied.
   */
  fromStored(decoded: ResourceObject, apiVersion: string): ResourceObject {
    if (this.#isRetiredDefinition(apiVersion)) return this.#own.complete(fromV1beta1(decoded));
    const version = this.#version(apiVersion)!;
    const object = version.complete(decoded);
    const { conversion } = version.definition.storage!;
    return conversion === undefined ? object : this.#own.canonical(conversion.toStored(object));
  }

  /** Returns the object in the version that kube-apiserver stores. The argument is an object of the registry. */
  toStored(object: ResourceObject): ResourceObject {
    if (this.#own.apiVersion === this.apiVersion) return object;
    if (this.#isRetiredDefinition(this.apiVersion)) return toV1beta1(object);
    const version = this.#version(this.apiVersion)!;
    return version.canonical(version.definition.storage!.conversion!.fromStored(object));
  }

  #version(apiVersion: string): TypeVersion | undefined {
    return this.#versions.get(apiVersion) ?? this.#versions.get(retiredShapes[apiVersion] ?? '');
  }

  #isRetiredDefinition(apiVersion: string): boolean {
    return this.#isDefinition && apiVersion === definitionVersion;
  }
}

class TypeVersion {
  readonly definition: ResourceDefinition;
  readonly apiVersion: string;
  #compiled: CompiledKind | undefined;

  constructor(definition: ResourceDefinition) {
    this.definition = definition;
    this.apiVersion = apiVersionOf(definition);
  }

  get schema(): StructSchema {
    return this.definition.schema;
  }

  get #kind(): CompiledKind {
    const { schema, kind } = this.definition;
    this.#compiled ??= compileKind({ schema, kind, apiVersion: this.apiVersion });
    return this.#compiled;
  }

  /** Applies defaults as kube-apiserver does when it decodes: an older object gets the defaults of newer fields. */
  complete(decoded: ResourceObject): ResourceObject {
    const object = this.#kind.normalize(decoded, new Findings());
    const { setDefaults } = this.definition.rules;
    if (setDefaults === undefined) return object;
    setDefaults(object);
    return this.canonical(object);
  }

  canonical(object: ResourceObject): ResourceObject {
    return this.#kind.normalize(object, new Findings(), { defaults: false });
  }
}

/** Whether objects with such keys can be of a known type, built-in or custom. */
export function isServedKey(key: string): boolean {
  return storedTypeOf(key) !== undefined || isCustomKey(key);
}

/** Returns the kind of the objects with such keys. Undefined for custom types, and for keys of other data. */
export function kindOfKey(key: string): string | undefined {
  return storedTypeOf(key)?.kind;
}

let types: ReadonlyMap<string, StoredType> | undefined;

/** The built-in type of a key, whether it is served or not. Undefined for all other keys. */
export function storedTypeOf(key: string): StoredType | undefined {
  types ??= builtInTypes();
  return types.get(keyGroup(key));
}

function builtInTypes(): ReadonlyMap<string, StoredType> {
  const stored = [...builtInResources, ...optionalResources].filter(({ storage }) => storage !== undefined);
  const byPrefix = Map.groupBy(stored, ({ storage }) => storage!.keyPrefix);
  return new Map([...byPrefix].map(([prefix, definitions]) => [prefix, new StoredType(definitions)]));
}
