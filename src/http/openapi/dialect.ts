/** Swagger 2.0 or OpenAPI 3.0. */
export type Dialect = 'v2' | 'v3';

export type JsonSchema = Readonly<Record<string, unknown>>;

const prefixes: Readonly<Record<Dialect, string>> = { v2: '#/definitions/', v3: '#/components/schemas/' };

/** A reference to a definition by its name. */
export function referenceTo(name: string, dialect: Dialect): JsonSchema {
  return { $ref: prefixes[dialect] + name };
}
