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

/** The fields of Swagger 2.0 in protobuf, by the numbers of gnostic's OpenAPIv2.proto. */

/** A function, because it is recursive and used before the table is defined. */
const schema: FieldWriter = (writer, value) => schemaFields(writer, value);
const schemaMessage = (number: number) => message(number, schema);
const map = (number: number, value: (number: number) => FieldWriter) => message(number, namedValues(1, value));

const additionalProperties: FieldWriter = (writer, value: boolean | object) =>
  (typeof value === 'boolean' ? bool(2) : schemaMessage(1))(writer, value as never);

const schemaFields = fields(
  {
    $ref: string(1),
    format: string(2),
    title: string(3),
    description: string(4),
    default: any(5),
    multipleOf: double(6),
    maximum: double(7),
    exclusiveMaximum: bool(8),
    minimum: double(9),
    exclusiveMinimum: bool(10),
    maxLength: int64(11),
    minLength: int64(12),
    pattern: string(13),
    maxItems: int64(14),
    minItems: int64(15),
    uniqueItems: bool(16),
    maxProperties: int64(17),
    minProperties: int64(18),
    required: repeated(string(19)),
    enum: repeated(any(20)),
    additionalProperties: message(21, additionalProperties),
    type: message(22, string(1)),
    items: message(23, schemaMessage(1)),
    allOf: repeated(schemaMessage(24)),
    properties: map(25, schemaMessage),
  },
  31,
);

const bodyParameter = fields(
  { description: string(1), name: string(2), in: string(3), required: bool(4), schema: schemaMessage(5) },
  6,
);
const queryParameter = fields(
  { required: bool(1), in: string(2), description: string(3), name: string(4), type: string(6), uniqueItems: bool(20) },
  23,
);
const pathParameter = fields(
  { required: bool(1), in: string(2), description: string(3), name: string(4), type: string(5), uniqueItems: bool(19) },
  22,
);

const parameterWriters: Readonly<Record<string, FieldWriter>> = {
  body: message(1, bodyParameter),
  query: message(2, message(3, queryParameter)),
  path: message(2, message(4, pathParameter)),
};
const parameter: FieldWriter = (writer, value: { readonly in: string }) =>
  parameterWriters[value.in]!(writer, value as never);

const reference = fields({ $ref: string(1) }, 0);
const parameterOrReference: FieldWriter = (writer, value: { readonly $ref?: string }) =>
  (value.$ref === undefined ? message(1, parameter) : message(2, reference))(writer, value as never);

const response = fields({ description: string(1), schema: message(2, schemaMessage(1)) }, 5);

const operation = fields(
  {
    tags: repeated(string(1)),
    summary: string(2),
    description: string(3),
    operationId: string(5),
    produces: repeated(string(6)),
    consumes: repeated(string(7)),
    parameters: repeated(message(8, parameterOrReference)),
    responses: map(9, (number) => message(number, message(1, response))),
    schemes: repeated(string(10)),
    deprecated: bool(11),
  },
  13,
);

const pathItem = fields(
  {
    get: message(2, operation),
    put: message(3, operation),
    post: message(4, operation),
    delete: message(5, operation),
    options: message(6, operation),
    head: message(7, operation),
    patch: message(8, operation),
    parameters: repeated(message(9, parameterOrReference)),
  },
  10,
);

const apiKeySecurity = fields({ type: string(1), name: string(2), in: string(3), description: string(4) }, 5);

export const swaggerFields = fields(
  {
    swagger: string(1),
    info: message(2, fields({ title: string(1), version: string(2), description: string(3) }, 7)),
    paths: message(
      8,
      namedValues(2, (number) => message(number, pathItem)),
    ),
    definitions: map(9, schemaMessage),
    parameters: map(10, (number) => message(number, parameter)),
    security: repeated(
      message(
        12,
        namedValues(1, (number) => message(number, repeated(string(1)))),
      ),
    ),
    securityDefinitions: map(13, (number) => message(number, message(2, apiKeySecurity))),
  },
  16,
);
