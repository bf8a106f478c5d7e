import { createHash } from 'node:crypto';
import type { JsonSchema } from './dialect.ts';
import type { Parameter } from './parameters.ts';

const references = new WeakMap<object, JsonSchema>();

/** A parameter of Swagger 2.0. */
export function swaggerParameter({ inline: _inline, ...parameter }: Parameter): JsonSchema {
  return { uniqueItems: true, ...parameter };
}

/** A reference to a parameter that is written once per document. */
export function parameterReference(parameter: Parameter): JsonSchema {
  const known = references.get(parameter);
  if (known !== undefined) return known;
  const reference = { $ref: `#/parameters/${sharedName(swaggerParameter(parameter))}` };
  references.set(parameter, reference);
  return reference;
}

/** Parameters by the names under which a document has them. */
export function namedParameters(parameters: readonly JsonSchema[]): Record<string, JsonSchema> {
  return Object.fromEntries(
    parameters
      .map((parameter) => [sharedName(parameter), parameter] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** Parameters of the same name can differ, so a hash of the content is part of the shared name. */
export function sharedName(parameter: JsonSchema): string {
  const hash = createHash('sha256').update(JSON.stringify(parameter)).digest();
  return `${parameter.name}-${hash.toString('base64url', 0, 6)}`;
}
