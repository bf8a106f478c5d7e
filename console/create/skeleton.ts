import type { TypeSchema } from '../api/schema-loader.ts';
import type { Schema } from '../document/schema.ts';

const maxDepth = 6;

/** The fields that an object of a type must have, with empty values, and a `spec` if there can be one. */
export function skeleton({ schema, schemas }: TypeSchema): Record<string, unknown> {
  const root = schemas.resolve(schema);
  const fill = (given: Schema | undefined, depth: number): unknown => {
    const own = schemas.resolve(given);
    if (own?.default !== undefined) return own.default;
    if (own?.enum) return own.enum[0];
    switch (own?.type) {
      case 'object':
        return Object.fromEntries(
          depth > maxDepth ? [] : (own.required ?? []).map((name) => [name, fill(own.properties?.[name], depth + 1)]),
        );
      case 'array':
        return depth > maxDepth || own.items === undefined ? [] : [fill(own.items, depth + 1)];
      case 'integer':
      case 'number':
        return own.minimum ?? 0;
      case 'boolean':
        return false;
      default:
        return '';
    }
  };
  const names = new Set([...(root?.required ?? []), ...(root?.properties?.spec ? ['spec'] : [])]);
  const own = [...names].filter((name) => !['apiVersion', 'kind', 'metadata', 'status'].includes(name));
  return Object.fromEntries(own.map((name) => [name, fill(root?.properties?.[name], 0)]));
}
