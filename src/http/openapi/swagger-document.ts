import { apiRelease } from '../discovery/version-info.ts';
import { DefinitionSet } from './definition-set.ts';
import type { JsonSchema } from './dialect.ts';
import type { DocumentContents } from './document-contents.ts';
import { type Operation, type PathItem, type Response, responseDescriptions } from './operation.ts';
import type { Parameter } from './parameters.ts';

/** The Swagger 2.0 document, which covers everything that is served. */
export function swaggerDocument(sources: DocumentContents): object {
  const writer = new SwaggerWriter(new DefinitionSet('v2', sources));
  const items = [...sources.pathItems.values()].flatMap((items) => items()).sort((a, b) => (a.path < b.path ? -1 : 1));
  const paths = Object.fromEntries(items.map((item) => [item.path, writer.pathItem(item)]));
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: apiRelease },
    paths,
    definitions: writer.definitions.all(),
    parameters: Object.fromEntries(writer.parameters),
    securityDefinitions: {
      BearerToken: { description: 'A bearer token', type: 'apiKey', name: 'authorization', in: 'header' },
    },
    security: [{ BearerToken: [] }],
  };
}

class SwaggerWriter {
  readonly definitions: DefinitionSet;
  /** The parameters that operations reference. */
  readonly parameters = new Map<string, JsonSchema>();

  constructor(definitions: DefinitionSet) {
    this.definitions = definitions;
  }

  pathItem({ parameters, operations }: PathItem): object {
    return {
      ...Object.fromEntries(operations.map((operation) => [operation.method, this.#operation(operation)])),
      ...(parameters.length > 0 && { parameters: parameters.map((parameter) => this.#parameter(parameter)) }),
    };
  }

  #operation(operation: Operation): object {
    const { description, body, produces, tag, id, responses, action, kind } = operation;
    const parameters = operation.parameters.map((parameter) => this.#parameter(parameter));
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

  #parameter({ inline, ...parameter }: Parameter): JsonSchema {
    const written = { uniqueItems: true, ...parameter };
    if (inline) return written;
    this.parameters.set(parameter.name, written);
    return { $ref: `#/parameters/${parameter.name}` };
  }
}
