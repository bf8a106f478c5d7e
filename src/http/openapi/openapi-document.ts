import { apiRelease } from '../discovery/version-info.ts';
import { DefinitionSet, type DefinitionSources } from './definition-set.ts';
import type { JsonSchema } from './dialect.ts';
import { type Operation, type PathItem, type Response, responseDescriptions } from './operation.ts';
import type { Parameter } from './parameters.ts';

/** A self-contained OpenAPI 3.0 document for some of the paths. */
export function openApiDocument(items: readonly PathItem[], sources: DefinitionSources): object {
  const definitions = new DefinitionSet('v3', sources);
  const sorted = [...items].sort((a, b) => (a.path < b.path ? -1 : 1));
  const paths = Object.fromEntries(sorted.map((item) => [item.path, pathItem(item, definitions)]));
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: apiRelease },
    paths,
    components: {
      schemas: definitions.all(),
      securitySchemes: {
        BearerToken: { type: 'apiKey', description: 'A bearer token', name: 'authorization', in: 'header' },
      },
    },
  };
}

function pathItem({ parameters, operations }: PathItem, definitions: DefinitionSet): object {
  return {
    ...Object.fromEntries(operations.map((entry) => [entry.method, operation(entry, definitions)])),
    ...(parameters.length > 0 && { parameters: parameters.map(writtenParameter) }),
  };
}

function operation(entry: Operation, definitions: DefinitionSet): object {
  const { tag, description, id, parameters, body, action, kind } = entry;
  return {
    tags: [tag],
    description,
    operationId: id,
    ...(parameters.length > 0 && { parameters: parameters.map(writtenParameter) }),
    ...(body !== undefined && {
      requestBody: {
        content: content(body.mediaTypes, definitions.reference(body.type)),
        ...(body.required && { required: true }),
      },
    }),
    responses: responses(entry, definitions),
    ...(action !== undefined && { 'x-kubernetes-action': action }),
    ...(kind !== undefined && { 'x-kubernetes-group-version-kind': kind }),
  };
}

function responses(entry: Operation, definitions: DefinitionSet): object {
  const schemaOf = (type: NonNullable<Response['type']>): JsonSchema =>
    type === 'text' ? { type: 'string' } : definitions.reference(type);
  const written = entry.responses.map(({ code, type }) => [
    code,
    {
      description: responseDescriptions[code],
      ...(type !== undefined && { content: content(entry.produces, schemaOf(type)) }),
    },
  ]);
  return Object.fromEntries([...written, [401, { description: responseDescriptions[401] }]]);
}

function content(mediaTypes: readonly string[], schema: JsonSchema): object {
  return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]));
}

function writtenParameter({ name, in: place, description, required, type }: Parameter): JsonSchema {
  return {
    name,
    in: place,
    ...(description !== undefined && { description }),
    ...(required && { required }),
    schema: { type, uniqueItems: true },
  };
}
