import type { Steps } from '../../meta/turns.ts';
import { DeleteOptions, ListMeta, ObjectMeta, Patch, Status } from '../../schema/meta-types.ts';
import { apiRelease } from '../discovery/version-info.ts';
import { DefinitionSet, type DefinitionSources } from './definition-set.ts';
import type { JsonSchema } from './dialect.ts';
import { type DocumentEntries, type DocumentLayout, entriesOf } from './document-entries.ts';
import { swaggerFields } from './gnostic-v2.ts';
import { type Operation, type PathItem, type Response, responseDescriptions } from './operation.ts';
import { type Parameter, sharedParameters } from './parameters.ts';

const parameters = Object.fromEntries(sharedParameters.map((parameter) => [parameter.name, written(parameter)]));
const BearerToken = { description: 'A bearer token', type: 'apiKey', name: 'authorization', in: 'header' };

/** The Swagger 2.0 document, which covers everything that is served. */
export const swaggerLayout: DocumentLayout = {
  document: (paths, definitions) => ({
    swagger: '2.0',
    info: { title: 'Kubernetes', version: apiRelease },
    paths,
    definitions,
    parameters,
    securityDefinitions: { BearerToken },
    security: [{ BearerToken: [] }],
  }),
  fragment: (paths, definitions) => ({ paths, definitions }),
  fields: swaggerFields,
};

/** Returns the part of the document about the built-in types, including all types that custom ones refer to. */
export function* builtInSwagger(items: Iterable<PathItem>, sources: DefinitionSources): Steps<DocumentEntries> {
  const writer = new SwaggerWriter(new DefinitionSet('v2', sources));
  const paths = yield* writer.paths(items);
  const scale = sources.kinds.typeOf({ group: 'autoscaling', version: 'v1', kind: 'Scale' });
  const shared = [ObjectMeta, ListMeta, DeleteOptions, Patch, Status, ...(scale === undefined ? [] : [scale])];
  for (const type of shared) writer.definitions.reference(type);
  return yield* entriesOf(paths, yield* writer.definitions.all());
}

/** The part of the document about some custom types. */
export function* customSwagger(items: Iterable<PathItem>, sources: DefinitionSources): Steps<DocumentEntries> {
  const writer = new SwaggerWriter(new DefinitionSet('v2', sources));
  const paths = yield* writer.paths(items);
  return yield* entriesOf(paths, yield* writer.definitions.published());
}

class SwaggerWriter {
  readonly definitions: DefinitionSet;

  constructor(definitions: DefinitionSet) {
    this.definitions = definitions;
  }

  *paths(items: Iterable<PathItem>): Steps<Record<string, object>> {
    const paths: Record<string, object> = {};
    for (const item of items) {
      paths[item.path] = this.#pathItem(item);
      yield;
    }
    return paths;
  }

  #pathItem({ parameters, operations }: PathItem): object {
    return {
      ...Object.fromEntries(operations.map((operation) => [operation.method, this.#operation(operation)])),
      ...(parameters.length > 0 && { parameters: parameters.map(parameterOrReference) }),
    };
  }

  #operation(operation: Operation): object {
    const { description, body, produces, tag, id, responses, action, kind } = operation;
    const parameters = operation.parameters.map(parameterOrReference);
    if (body !== undefined) {
      const schema = this.definitions.reference(body.type);
      parameters.unshift({ name: 'body', in: 'body', ...(body.required && { required: true }), schema });
    }
    return {
      description,
      ...(body !== undefined && { consumes: body.mediaTypes }),
      produces,
      schemes: ['https'],
      tags: [tag],
      operationId: id,
      ...(parameters.length > 0 && { parameters }),
      responses: this.#responses(responses),
      ...(action !== undefined && { 'x-kubernetes-action': action }),
      ...(kind !== undefined && { 'x-kubernetes-group-version-kind': kind }),
    };
  }

  #responses(responses: readonly Response[]): object {
    const written = responses.map(({ code, type }) => [
      code,
      {
        description: responseDescriptions[code],
        ...(type !== undefined && { schema: type === 'text' ? { type: 'string' } : this.definitions.reference(type) }),
      },
    ]);
    return Object.fromEntries([...written, [401, { description: responseDescriptions[401] }]]);
  }
}

function parameterOrReference(parameter: Parameter): JsonSchema {
  return parameter.inline ? written(parameter) : { $ref: `#/parameters/${parameter.name}` };
}

function written({ inline: _inline, ...parameter }: Parameter): JsonSchema {
  return { uniqueItems: true, ...parameter };
}
