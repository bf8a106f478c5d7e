import { type FieldError, requiredValue } from '../../meta/field-error.ts';
import { maxErrors } from '../../schema/structural/error-limit.ts';
import { itemSchema, type JsonSchema } from '../../schema/structural/json-schema.ts';

interface Pair {
  /** The schema under a junctor, and its path. */
  readonly nested: JsonSchema;
  readonly nestedPath: string;
  /** The structural schema of the same value. */
  readonly structural: JsonSchema | undefined;
  readonly path: string;
}

/** Every field that `allOf`, `anyOf`, `oneOf` or `not` restricts must also be specified outside of them. */
export function completenessErrors(schema: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  compareJunctors({ nested: schema, nestedPath: path, structural: schema, path }, errors);
  return errors;
}

const junctors = ['allOf', 'anyOf', 'oneOf'] as const;

function compareJunctors({ nested, nestedPath, structural, path }: Pair, errors: FieldError[]): void {
  if (nested.not !== undefined) {
    compare({ nested: nested.not, nestedPath: `${nestedPath}.not`, structural, path }, errors);
  }
  for (const junctor of junctors) {
    nested[junctor]?.forEach((inner, index) => {
      compare({ nested: inner, nestedPath: `${nestedPath}.${junctor}[${index}]`, structural, path }, errors);
    });
  }
}

function compare(pair: Pair, errors: FieldError[]): void {
  if (errors.length >= maxErrors) return;
  const { nested, nestedPath, structural, path } = pair;
  if (structural === undefined) {
    errors.push(requiredValue(path, `because it is defined in ${nestedPath}`));
    return;
  }
  compareJunctors(pair, errors);
  const items = itemSchema(nested);
  if (items !== undefined) {
    const outer = itemSchema(structural);
    compare({ nested: items, nestedPath: `${nestedPath}.items`, structural: outer, path: `${path}.items` }, errors);
  }
  for (const [name, property] of Object.entries(nested.properties ?? {})) {
    const key = `.properties[${name}]`;
    const { properties = {} } = structural;
    const outer = Object.hasOwn(properties, name) ? properties[name] : undefined;
    compare({ nested: property, nestedPath: nestedPath + key, structural: outer, path: path + key }, errors);
  }
}
