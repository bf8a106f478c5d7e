/** A schema of Swagger 2.0 or OpenAPI 3.0. */
export interface DocumentSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, DocumentSchema>>;
  readonly additionalProperties?: DocumentSchema | boolean;
  readonly items?: DocumentSchema;
  readonly allOf?: readonly DocumentSchema[];
  readonly oneOf?: readonly DocumentSchema[];
}

type Schemas = Readonly<Record<string, DocumentSchema>>;

const intRange = 2 ** 31;

const formats: Readonly<Record<string, (value: unknown) => boolean>> = {
  int32: (value) => Math.abs(value as number) <= intRange,
  int64: Number.isInteger,
  double: Number.isFinite,
  byte: (value) => /^[\w+/]*={0,2}$/.test(value as string),
  'date-time': (value) => !Number.isNaN(Date.parse(value as string)),
  'int-or-string': () => true,
};

/**
 * The errors that a strict validator finds in a value. Unknown fields are errors. Null is the same as absent, because
 * kube-apiserver, too, writes it for some fields.
 */
export function* schemaErrors(value: unknown, schema: DocumentSchema, schemas: Schemas, path = ''): Generator<string> {
  if (value === null) return;
  const { $ref, allOf = [], oneOf, enum: choice } = schema;
  if ($ref !== undefined) {
    const target = schemas[$ref.slice($ref.lastIndexOf('/') + 1)];
    if (target === undefined) yield `${path}: ${$ref} does not exist`;
    else yield* schemaErrors(value, target, schemas, path);
  }
  for (const part of allOf) yield* schemaErrors(value, part, schemas, path);
  if (oneOf !== undefined) {
    const matches = oneOf.filter((part) => schemaErrors(value, part, schemas, path).next().done);
    if (matches.length !== 1) yield `${path}: ${JSON.stringify(value)} matches ${matches.length} of the choices`;
  }
  if (choice !== undefined && !choice.includes(value)) yield `${path}: ${JSON.stringify(value)} is not in the enum`;
  yield* typeErrors(value, schema, schemas, path);
}

function* typeErrors(value: unknown, schema: DocumentSchema, schemas: Schemas, path: string): Generator<string> {
  const { type, format } = schema;
  if (format !== undefined && formats[format]?.(value) !== true)
    yield `${path}: ${JSON.stringify(value)} is no ${format}`;
  // Swagger 2.0 cannot express a choice of two types.
  const isEither = format === 'int-or-string' && Number.isInteger(value);
  if (type === undefined || isEither) return;
  if (!isOfType(value, type)) {
    yield `${path}: ${JSON.stringify(value)} is not of type ${type}`;
  } else if (Array.isArray(value)) {
    if (schema.items === undefined) yield `${path}: the items are not described`;
    else
      for (const [index, item] of value.entries())
        yield* schemaErrors(item, schema.items, schemas, `${path}[${index}]`);
  } else if (type === 'object') {
    yield* memberErrors(value as Readonly<Record<string, unknown>>, schema, schemas, path);
  }
}

function* memberErrors(
  value: Readonly<Record<string, unknown>>,
  { properties, additionalProperties = properties === undefined, required = [] }: DocumentSchema,
  schemas: Schemas,
  path: string,
): Generator<string> {
  for (const name of required) if (!Object.hasOwn(value, name)) yield `${path}.${name}: is required`;
  for (const [name, member] of Object.entries(value)) {
    const schema = properties?.[name] ?? additionalProperties;
    if (schema === false) yield `${path}.${name}: is unknown`;
    else if (schema !== true) yield* schemaErrors(member, schema, schemas, `${path}.${name}`);
  }
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}
