import type { Steps } from '../../meta/turns.ts';
import { apiRelease } from '../discovery/version-info.ts';
import { DefinitionSet, type DefinitionSources } from './definition-set.ts';
import type { JsonSchema } from './dialect.ts';
import { type DocumentEntries, type DocumentLayout, entriesOf } from './document-entries.ts';
import { openApiFields } from './gnostic-v3.ts';
import { type Operation, type PathItem, type Response, responseDescriptions } from './operation.ts';
import type { Parameter } from './parameters.ts';

const securitySchemes = {
  BearerToken: { type: 'apiKey', description: 'A bearer token', name: 'authorization', in: 'header' },
};

export interface DocumentInfo {
  readonly title: string;
  readonly version: string;
}

/** An OpenAPI 3.0 document. One with a title of its own does not mention authentication. */
export function openApiLayout(info?: DocumentInfo): DocumentLayout {
  return {
    document: (paths, schemas) => ({
      openapi: '3.0.0',
      info: info ?? { title: 'Kubernetes', version: apiRelease },
      paths,
      components: { ...(schemas !== undefined && { schemas }), ...(info === undefined && { securitySchemes }) },
    }),
    fragment: (paths, schemas) => ({ paths, components: { schemas } }),
    fields: openApiFields,
  };
}

/** The entries of a self-contained OpenAPI 3.0 document for some of the paths. */
export function* openApiEntries(items: Iterable<PathItem>, sources: DefinitionSources): Steps<DocumentEntries> {
  const definitions = new DefinitionSet('v3', sources);
  const paths: Record<string, object> = {};
  for (const item of items) {
    paths[item.path] = pathItem(item, definitions);
    yield;
  }
  return yield* entriesOf(paths, yield* definitions.all());
}

function pathItem({ parameters, operations }: PathItem, definitions: DefinitionSet): object {
  return {
    ...Object.fromEntries(operations.map((entry) => [entry.method, operation(entry, definitions)])),
    ...(parameters.length > 0 && { parameters: parameters.map(writtenParameter) }),
  };
}

function operation(entry: Operation, definitions: DefinitionSet): object {
  const { tag, description, id, parameters, body, consumes = [], action, kind } = entry;
  return {
    tags: [tag],
    description,
    operationId: id,
    ...(parameters.length > 0 && { parameters: parameters.map(writtenParameter) }),
    ...(body !== undefined && {
      requestBody: {
        content: content(consumes, definitions.reference(body.type)),
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

function writtenParameter({ name, in: location, description, required, type }: Parameter): JsonSchema {
  return {
    name,
    in: location,
    ...(description !== undefined && { description }),
    ...(required && { required }),
    schema: { type, uniqueItems: true },
  };
}
