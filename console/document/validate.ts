import { formatPath, isEqual, isObject, type Path } from './path.ts';
import { isIntOrString, type Schema, type Schemas, typeName } from './schema.ts';

export interface Problem {
  readonly path: Path;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

const maxProblems = 100;

/**
 * Returns the violations of a schema by a value. The server decides in the end: it also checks rules that are not in
 * the schema.
 */
export function validate(value: unknown, schema: Schema, schemas: Schemas): Problem[] {
  const problems: Problem[] = [];
  check(value, schema, { schemas, path: [], problems });
  return problems;
}

interface Context {
  readonly schemas: Schemas;
  readonly path: Path;
  readonly problems: Problem[];
}

function check(value: unknown, given: Schema, context: Context): void {
  const { schemas, path, problems } = context;
  const schema = schemas.resolve(given);
  if (!schema || problems.length >= maxProblems) return;
  const report = (message: string, severity: Problem['severity'] = 'error', at: Path = path) =>
    problems.push({ path: at, message: `${formatPath(at) || 'the document'} ${message}`, severity });
  // Null and undefined are values that the user omitted on purpose.
  if (value === null || value === undefined) return;
  if (!hasType(value, schema)) {
    report(`must be of type ${typeName(schemas, schema)}`);
    return;
  }
  if (schema.enum && !schema.enum.some((allowed) => isEqual(allowed, value))) {
    report(`must be one of ${schema.enum.map((allowed) => JSON.stringify(allowed)).join(', ')}`);
  }
  if (typeof value === 'number') {
    if (schema.minimum !== undefined && value < schema.minimum) report(`must be at least ${schema.minimum}`);
    if (schema.maximum !== undefined && value > schema.maximum) report(`must be at most ${schema.maximum}`);
  }
  if (typeof value === 'string' && schema.maxLength !== undefined && value.length > schema.maxLength) {
    report(`must not be longer than ${schema.maxLength}`);
  }
  if (Array.isArray(value)) {
    if (schema.items)
      for (const [index, item] of value.entries()) check(item, schema.items, { ...context, path: [...path, index] });
  } else if (isObject(value)) {
    for (const name of schema.required ?? []) if (!(name in value)) report(`must have ${name}`);
    for (const [name, inner] of Object.entries(value)) {
      const child = schemas.child(schema, name);
      if (child) check(inner, child, { ...context, path: [...path, name] });
      else if (isClosed(schema)) report('is not a field of this type', 'warning', [...path, name]);
    }
  }
}

function isClosed(schema: Schema): boolean {
  return (
    schema.properties !== undefined && !schema.additionalProperties && !schema['x-kubernetes-preserve-unknown-fields']
  );
}

function hasType(value: unknown, schema: Schema): boolean {
  if (isIntOrString(schema)) return typeof value === 'string' || Number.isInteger(value);
  // Types such as quantities allow several types without naming one.
  if (schema.oneOf) return true;
  switch (schema.type) {
    case 'string':
      return typeof value === 'string';
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return true;
  }
}
