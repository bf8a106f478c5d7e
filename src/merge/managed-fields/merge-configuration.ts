import type { JsonObject } from '../../meta/json-object.ts';
import { isJsonObject } from '../../meta/json-object.ts';
import { typeProblem } from './check-applied.ts';
import { mergeApplied } from './merge-applied.ts';
import { fieldElement, type PathElement, printElement } from './path-element.ts';
import type { Shape, StructShape } from './shape.ts';

/** A configuration that cannot be merged, with the message of kube-apiserver. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/**
 * Merges a configuration into an object like server-side apply, but its fields get no owner, and nothing is removed.
 * The result shares unchanged parts and is not in canonical form. Throws a `ConfigurationError` when either does not
 * have the shape, and when the configuration has an atomic list, map or struct: it would remove what it does not list.
 */
export function mergeConfiguration(shape: StructShape, object: JsonObject, configuration: JsonObject): JsonObject {
  checkShape(shape, configuration, 'patch');
  const atomics: string[] = [];
  findAtomics(shape, configuration, { path: '', found: atomics });
  if (atomics.length > 0) {
    const problem = `may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`;
    throw new ConfigurationError(`invalid ApplyConfiguration: ${problem}`);
  }
  checkShape(shape, object, 'original');
  return mergeApplied(shape, object, configuration) as JsonObject;
}

function checkShape(shape: StructShape, object: JsonObject, name: 'patch' | 'original'): void {
  const problem = typeProblem(shape, object);
  if (problem === undefined) return;
  throw new ConfigurationError(`failed to convert ${name} object to typed object: ${problem}`);
}

interface Search {
  readonly path: string;
  readonly found: string[];
}

/** Values of maps are not searched, as in kube-apiserver. */
function findAtomics(shape: Shape, value: unknown, { path, found }: Search): void {
  const inner = (element: PathElement): Search => ({ path: path + printElement(element), found });
  if (Array.isArray(value)) {
    // A list that the schema does not describe is replaced as a whole.
    if (shape.atomic || shape.type === 'any') found.push(path);
    if (shape.type !== 'list') return;
    for (const [index, item] of value.entries()) findAtomics(shape.items, item, inner(`i:${index}`));
  } else if (isJsonObject(value)) {
    if (shape.atomic) found.push(path);
    if (shape.type !== 'struct') return;
    for (const [name, field] of Object.entries(value)) {
      const declared = shape.fields.get(name);
      if (declared !== undefined) findAtomics(declared.shape, field, inner(fieldElement(name)));
    }
  }
}
