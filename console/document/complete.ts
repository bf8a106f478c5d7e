import { isObject, valueAt } from './path.ts';
import { type Schema, type Schemas, typeName } from './schema.ts';
import type { YamlContext } from './yaml-context.ts';

export interface Suggestion {
  readonly label: string;
  readonly detail: string;
  readonly description: string;
  /** The inserted text. The values of objects and lists continue on the next line. */
  readonly insert: string;
  readonly isRequired: boolean;
}

/** Returns the completions at a position in a document of a type. */
export function complete(
  context: YamlContext,
  type: { schema: Schema; schemas: Schemas; value?: unknown; indent: string },
): Suggestion[] {
  const { schema, schemas, value, indent } = type;
  const around = schemas.at(schema, context.path);
  if (!around) return [];
  if (context.key !== undefined) return values(schemas.child(around, context.key));
  const written = valueAt(value, context.path);
  const isWritten = (name: string) => isObject(written) && name !== context.word && Object.hasOwn(written, name);
  return Object.entries(around.properties ?? {})
    .filter(([name]) => !isWritten(name))
    .map(([name, given]) => {
      const own = schemas.resolve(given);
      const isRequired = around.required?.includes(name) ?? false;
      return {
        label: name,
        detail: typeName(schemas, given),
        description: given.description ?? own?.description ?? '',
        insert: `${name}:${continuation(own, indent)}`,
        isRequired,
      };
    });
}

function continuation(schema: Schema | undefined, indent: string): string {
  if (schema?.type === 'array') return `\n${indent}- `;
  if (schema?.type === 'object') return `\n${indent}  `;
  return ' ';
}

function values(schema: Schema | undefined): Suggestion[] {
  const found = schema?.enum ?? (schema?.type === 'boolean' ? [true, false] : []);
  return found.map((value) => ({
    label: String(value),
    detail: value === schema?.default ? 'default' : '',
    description: '',
    insert: String(value),
    isRequired: false,
  }));
}
