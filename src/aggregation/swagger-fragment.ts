import type { SwaggerContent } from '../http/openapi/index.ts';
import type { Steps } from '../meta/turns.ts';

type Json = Readonly<Record<string, unknown>>;

const definitionPrefix = '#/definitions/';
const parameterPrefix = '#/parameters/';

/**
 * The part of a Swagger document of another server about the paths below a prefix, with the definitions that they need.
 * Shared parameters are put in the places that refer to them. Throws a TypeError when the document is not valid.
 */
export function* swaggerFragment(document: unknown, prefix: string): Steps<SwaggerContent> {
  const { paths, definitions = {}, parameters = {} } = objectOf(document);
  const reader = new FragmentReader(objectOf(definitions), objectOf(parameters));
  const kept: Record<string, object> = {};
  for (const [path, item] of Object.entries(objectOf(paths ?? {}))) {
    if (path !== prefix && !path.startsWith(`${prefix}/`)) continue;
    kept[path] = objectOf(reader.read(objectOf(item)));
    yield;
  }
  return { paths: kept, definitions: yield* reader.definitions() };
}

class FragmentReader {
  readonly #definitions: Json;
  readonly #parameters: Json;
  readonly #needed = new Set<string>();

  constructor(definitions: Json, parameters: Json) {
    this.#definitions = definitions;
    this.#parameters = parameters;
  }

  /** Notes the definitions that the value refers to, and returns it without references to parameters. */
  read(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.read(item));
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as Json;
    if (typeof $ref === 'string') {
      if ($ref.startsWith(parameterPrefix)) return this.#parameter($ref.slice(parameterPrefix.length));
      if (!$ref.startsWith(definitionPrefix)) throw new TypeError(`the reference ${$ref} is not supported`);
      this.#needed.add($ref.slice(definitionPrefix.length));
    }
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.read(member)]));
  }

  /** The definitions that were needed so far, and those that they need. */
  *definitions(): Steps<Record<string, object>> {
    const found: Record<string, object> = {};
    // The set grows while it is walked.
    for (const name of this.#needed) {
      if (!Object.hasOwn(this.#definitions, name)) throw new TypeError(`the definition ${name} is missing`);
      found[name] = objectOf(this.read(objectOf(this.#definitions[name])));
      yield;
    }
    return found;
  }

  #parameter(name: string): unknown {
    if (!Object.hasOwn(this.#parameters, name)) throw new TypeError(`the parameter ${name} is missing`);
    const parameter = objectOf(this.#parameters[name]);
    // A parameter that refers to itself could not be resolved.
    if ('$ref' in parameter) throw new TypeError(`the parameter ${name} is a reference`);
    return this.read(parameter);
  }
}

function objectOf(value: unknown): Json & object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('an object is missing');
  return value as Json;
}
