import {
  any,
  bool,
  double,
  type FieldWriter,
  fields,
  int64,
  message,
  namedValues,
  repeated,
  string,
} from './gnostic-fields.ts';

/** The fields of OpenAPI 3.0 in protobuf, by the numbers of gnostic's OpenAPIv3.proto. */

const reference = fields({ $ref: string(1), summary: string(2), description: string(3) }, 0);
const referenceMessage = message(2, reference);

/** A message that holds either the value or a reference to it. */
function orReference(content: FieldWriter): FieldWriter {
  const itself = message(1, content);
  return (writer, value: { readonly $ref?: string }) =>
    (value.$ref === undefined ? itself : referenceMessage)(writer, value as never);
}

/** A function, because it is recursive and used before the table is defined. */
const schema: FieldWriter = (writer, value) => schemaFields(writer, value);
const schemaOrReference = orReference(schema);
const schemaMessage = (number: number) => message(number, schemaOrReference);
const map = (number: number, value: (number: number) => FieldWriter) => message(number, namedValues(1, value));

const additionalProperties: FieldWriter = (writer, value: boolean | object) =>
  (typeof value === 'boolean' ? bool(2) : schemaMessage(1))(writer, value as never);

const defaultWriters: Readonly<Record<string, FieldWriter>> = {
  number: double(1),
  boolean: bool(2),
  string: string(3),
};

/** The message cannot represent a default that is an object or a list, so it is omitted. */
const defaultValue: FieldWriter = (writer, value: unknown) => {
  const write = defaultWriters[typeof value];
  if (write !== undefined) message(33, write)(writer, value as never);
};

const schemaFields = fields(
  {
    nullable: bool(1),
    readOnly: bool(3),
    deprecated: bool(8),
    title: string(9),
    multipleOf: double(10),
    maximum: double(11),
    exclusiveMaximum: bool(12),
    minimum: double(13),
    exclusiveMinimum: bool(14),
    maxLength: int64(15),
    minLength: int64(16),
    pattern: string(17),
    maxItems: int64(18),
    minItems: int64(19),
    uniqueItems: bool(20),
    maxProperties: int64(21),
    minProperties: int64(22),
    required: repeated(string(23)),
    enum: repeated(any(24)),
    type: string(25),
    allOf: repeated(schemaMessage(26)),
    oneOf: repeated(schemaMessage(27)),
    anyOf: repeated(schemaMessage(28)),
    not: message(29, schema),
    items: message(30, schemaMessage(1)),
    properties: map(31, schemaMessage),
    additionalProperties: message(32, additionalProperties),
    default: defaultValue,
    description: string(34),
    format: string(35),
  },
  36,
);

const parameter = fields(
  { name: string(1), in: string(2), description: string(3), required: bool(4), schema: schemaMessage(10) },
  14,
);
const parameterMessage = (number: number) => message(number, orReference(parameter));

const mediaTypes = namedValues(1, (number) => message(number, fields({ schema: schemaMessage(1) }, 5)));
const requestBody = fields({ description: string(1), content: message(2, mediaTypes), required: bool(3) }, 4);
const response = fields({ description: string(1), content: message(3, mediaTypes) }, 5);

const operation = fields(
  {
    tags: repeated(string(1)),
    summary: string(2),
    description: string(3),
    operationId: string(5),
    parameters: repeated(parameterMessage(6)),
    requestBody: message(7, orReference(requestBody)),
    responses: message(
      8,
      namedValues(2, (number) => message(number, orReference(response))),
    ),
    deprecated: bool(10),
  },
  13,
);

const pathItem = fields(
  {
    get: message(4, operation),
    put: message(5, operation),
    post: message(6, operation),
    delete: message(7, operation),
    options: message(8, operation),
    head: message(9, operation),
    patch: message(10, operation),
    parameters: repeated(parameterMessage(13)),
  },
  14,
);

const securityScheme = fields({ type: string(1), description: string(2), name: string(3), in: string(4) }, 9);

const components = fields(
  {
    schemas: map(1, schemaMessage),
    securitySchemes: map(7, (number) => message(number, orReference(securityScheme))),
  },
  10,
);

export const openApiFields = fields(
  {
    openapi: string(1),
    info: message(2, fields({ title: string(1), description: string(2), version: string(6) }, 7)),
    paths: message(
      4,
      namedValues(1, (number) => message(number, pathItem)),
    ),
    components: message(5, components),
  },
  9,
);
