import type { Steps } from '../../meta/turns.ts';
import { DeleteOptions, ListMeta, ObjectMeta, Patch, Status } from '../../schema/meta-types.ts';
import { apiRelease } from '../discovery/version-info.ts';
import { definitionName } from './definition-name.ts';
import { DefinitionSet, type DefinitionSources } from './definition-set.ts';
import { type JsonSchema, referenceTo } from './dialect.ts';
import { type DocumentEntries, type DocumentLayout, entriesOf } from './document-entries.ts';
import { swaggerFields } from './gnostic-v2.ts';
import { type Body, type Operation, type PathItem, type Response, responseDescriptions } from './operation.ts';
import { type Parameter, sharedParameters } from './parameters.ts';
import { namedParameters, parameterReference, sharedName, swaggerParameter } from './shared-parameters.ts';

const BearerToken = { description: 'A bearer token', type: 'apiKey', name: 'authorization', in: 'header' };

/** The bodies that all types use. */
const sharedBodies = new Map([
  [DeleteOptions.name, bodyParameter({ required: false }, referenceTo(definitionName(DeleteOptions.name), 'v2'))],
  [Patch.name, bodyParameter({ required: true }, referenceTo(definitionName(Patch.name), 'v2'))],
]);

/** The Swagger 2.0 document, which covers everything that is served. It has these parameters besides the common ones. */
export function swaggerLayout(own: readonly Parameter[]): DocumentLayout {
  const parameters = namedParameters([
    ...[...sharedParameters, ...own].map(swaggerParameter),
    ...sharedBodies.values(),
  ]);
  return {
    document: (paths, definitions) => ({
      swagger: '2.0',
      info: { title: 'Kubernetes', version: apiRelease },
      paths,
      ...(definitions !== undefined && { definitions }),
      parameters,
      securityDefinitions: { BearerToken },
      security: [{ BearerToken: [] }],
    }),
    fragment: (paths, definitions) => ({ paths, definitions }),
    fields: swaggerFields,
  };
}

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
    const { description, body, consumes, produces, tag, id, responses, action, kind } = operation;
    const parameters = operation.parameters.map(parameterOrReference);
    if (body !== undefined) parameters.unshift(this.#body(body));
    return {
      description,
      ...(consumes !== undefined && { consumes }),
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

  #body(body: Body): JsonSchema {
    const schema = this.definitions.reference(body.type);
    const shared = sharedBodies.get(body.type.name);
    return shared === undefined ? bodyParameter(body, schema) : { $ref: `#/parameters/${sharedName(shared)}` };
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
  return parameter.inline ? swaggerParameter(parameter) : parameterReference(parameter);
}

function bodyParameter({ required }: Pick<Body, 'required'>, schema: JsonSchema): JsonSchema {
  return { name: 'body', in: 'body', ...(required && { required }), schema };
}
