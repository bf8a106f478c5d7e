import protobuf from 'protobufjs';
import { expect, test } from 'vitest';
import { builtInDescriptions as descriptions } from '../../resources/descriptions/index.ts';
import { builtInKinds, builtInResources, groupOrder, optionalResources } from '../../resources/index.ts';
import { OpenApiDocuments } from './openapi-documents.ts';

const everyResource = [...builtInResources, ...optionalResources];

const media = {
  objects: ['application/json'],
  bodies: ['*/*'],
  streams: [],
  patches: ['application/merge-patch+json'],
};
const catalog = { generation: 1, definitions: () => everyResource, kinds: () => builtInKinds, groupOrder };
const documents = new OpenApiDocuments({ catalog, media, customMedia: media, descriptions });

/** The parts of the two published descriptions that clients read. */
const v2 = protobuf.parse(`
  syntax = "proto3";
  message Any { string yaml = 2; }
  message NamedAny { string name = 1; Any value = 2; }
  message TypeItem { repeated string value = 1; }
  message ItemsItem { repeated Schema schema = 1; }
  message AdditionalPropertiesItem { Schema schema = 1; bool boolean = 2; }
  message NamedSchema { string name = 1; Schema value = 2; }
  message Properties { repeated NamedSchema additional_properties = 1; }
  message Schema {
    string _ref = 1; string format = 2; string description = 4; repeated string required = 19; repeated Any enum = 20;
    AdditionalPropertiesItem additional_properties = 21; TypeItem type = 22; ItemsItem items = 23;
    Properties properties = 25; repeated NamedAny vendor_extension = 31;
  }
  message Query { bool required = 1; string in = 2; string name = 4; string type = 6; bool unique_items = 20; }
  message Path { bool required = 1; string in = 2; string name = 4; string type = 5; }
  message NonBody { Query query = 3; Path path = 4; }
  message Body { string name = 2; bool required = 4; Schema schema = 5; }
  message Parameter { Body body = 1; NonBody non_body = 2; }
  message Reference { string _ref = 1; }
  message ParametersItem { Parameter parameter = 1; Reference json_reference = 2; }
  message SchemaItem { Schema schema = 1; }
  message Response { string description = 1; SchemaItem schema = 2; }
  message ResponseValue { Response response = 1; }
  message NamedResponseValue { string name = 1; ResponseValue value = 2; }
  message Responses { repeated NamedResponseValue response_code = 1; }
  message Operation {
    repeated string tags = 1; string operation_id = 5; repeated string produces = 6; repeated string consumes = 7;
    repeated ParametersItem parameters = 8; Responses responses = 9; repeated NamedAny vendor_extension = 13;
  }
  message PathItem {
    Operation get = 2; Operation put = 3; Operation post = 4; Operation delete = 5; Operation patch = 8;
    repeated ParametersItem parameters = 9;
  }
  message NamedPathItem { string name = 1; PathItem value = 2; }
  message Paths { repeated NamedPathItem path = 2; }
  message Info { string title = 1; string version = 2; }
  message NamedParameter { string name = 1; Parameter value = 2; }
  message Parameters { repeated NamedParameter additional_properties = 1; }
  message ApiKey { string type = 1; string name = 2; string in = 3; }
  message SecurityItem { ApiKey api_key = 2; }
  message NamedSecurity { string name = 1; SecurityItem value = 2; }
  message Security { repeated NamedSecurity additional_properties = 1; }
  message Document {
    string swagger = 1; Info info = 2; Paths paths = 8; Properties definitions = 9; Parameters parameters = 10;
    Security security_definitions = 13;
  }`).root;

const v3 = protobuf.parse(`
  syntax = "proto3";
  message Reference { string _ref = 1; }
  message SchemaOrReference { Schema schema = 1; Reference reference = 2; }
  message NamedSchema { string name = 1; SchemaOrReference value = 2; }
  message Schemas { repeated NamedSchema additional_properties = 1; }
  message DefaultType { oneof oneof { double number = 1; bool boolean = 2; string string = 3; } }
  message Schema {
    repeated string required = 23; string type = 25; repeated SchemaOrReference all_of = 26; Schemas properties = 31;
    DefaultType default = 33; string description = 34; string format = 35;
  }
  message Parameter { string name = 1; string in = 2; bool required = 4; SchemaOrReference schema = 10; }
  message ParameterOrReference { Parameter parameter = 1; }
  message MediaType { SchemaOrReference schema = 1; }
  message NamedMediaType { string name = 1; MediaType value = 2; }
  message MediaTypes { repeated NamedMediaType additional_properties = 1; }
  message RequestBody { MediaTypes content = 2; bool required = 3; }
  message RequestBodyOrReference { RequestBody request_body = 1; }
  message Response { string description = 1; MediaTypes content = 3; }
  message ResponseOrReference { Response response = 1; }
  message NamedResponse { string name = 1; ResponseOrReference value = 2; }
  message Responses { repeated NamedResponse response_or_reference = 2; }
  message Operation {
    string operation_id = 5; repeated ParameterOrReference parameters = 6; RequestBodyOrReference request_body = 7;
    Responses responses = 8;
  }
  message PathItem { Operation get = 4; Operation put = 5; Operation post = 6; Operation patch = 10; }
  message NamedPathItem { string name = 1; PathItem value = 2; }
  message Paths { repeated NamedPathItem path = 1; }
  message Components { Schemas schemas = 1; }
  message Info { string title = 1; string version = 6; }
  message Document { string openapi = 1; Info info = 2; Paths paths = 4; Components components = 5; }`).root;

interface Named {
  readonly name: string;
  readonly value: unknown;
}

function decode(root: protobuf.Root, bytes: Uint8Array): Record<string, never> {
  const type = root.lookupType('Document');
  return type.toObject(type.decode(bytes)) as Record<string, never>;
}

const entryOf = (entries: readonly Named[], name: string): unknown =>
  entries.find((entry) => entry.name === name)?.value;

const described = { description: expect.stringMatching(/\.$/) };

test('Swagger 2.0 in protobuf', async () => {
  const stored = await documents.swagger();
  const json = JSON.parse((await stored.bytes('json')).toString());
  const decoded = decode(v2, await stored.bytes('protobuf')) as Record<string, Record<string, Named[]>>;
  expect(decoded).toMatchObject({ swagger: '2.0', info: { title: 'Kubernetes', version: '1.36' } });
  expect(decoded.definitions!.additionalProperties!.map(({ name }) => name)).toEqual(Object.keys(json.definitions));
  expect(decoded.paths!.path!.map(({ name }) => name)).toEqual(Object.keys(json.paths));
  expect(entryOf(decoded.securityDefinitions!.additionalProperties!, 'BearerToken')).toEqual({
    apiKey: { type: 'apiKey', name: 'authorization', in: 'header' },
  });
  const parameters = decoded.parameters!.additionalProperties!;
  expect(parameters.map(({ name }) => name)).toEqual(Object.keys(json.parameters));
  expect(parameters.map(({ value }) => value)).toEqual(
    expect.arrayContaining([
      { nonBody: { path: { required: true, in: 'path', name: 'namespace', type: 'string' } } },
      {
        body: {
          name: 'body',
          schema: { _ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions' },
        },
      },
    ]),
  );
  expect(entryOf(decoded.definitions!.additionalProperties!, 'io.k8s.api.core.v1.ContainerPort')).toEqual({
    description: 'A port on which a container listens.',
    type: { value: ['object'] },
    required: ['containerPort'],
    properties: {
      additionalProperties: [
        { name: 'containerPort', value: { ...described, type: { value: ['integer'] }, format: 'int32' } },
        { name: 'hostIP', value: { ...described, type: { value: ['string'] } } },
        { name: 'hostPort', value: { ...described, type: { value: ['integer'] }, format: 'int32' } },
        { name: 'name', value: { ...described, type: { value: ['string'] } } },
        {
          name: 'protocol',
          value: {
            ...described,
            type: { value: ['string'] },
            enum: [{ yaml: 'SCTP\n' }, { yaml: 'TCP\n' }, { yaml: 'UDP\n' }],
          },
        },
      ],
    },
  });
  expect(entryOf(decoded.definitions!.additionalProperties!, 'io.k8s.api.core.v1.ConfigMap')).toMatchObject({
    vendorExtension: [
      { name: 'x-kubernetes-group-version-kind', value: { yaml: '- group: ""\n  kind: ConfigMap\n  version: v1\n' } },
    ],
    properties: {
      additionalProperties: expect.arrayContaining([
        {
          name: 'data',
          value: {
            ...described,
            type: { value: ['object'] },
            additionalProperties: { schema: { type: { value: ['string'] } } },
          },
        },
        {
          name: 'metadata',
          value: { ...described, _ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
        },
      ]),
    },
  });
  const item = '/api/v1/namespaces/{namespace}/configmaps/{name}';
  expect(entryOf(decoded.paths!.path!, item)).toMatchObject({
    patch: {
      operationId: 'patchCoreV1NamespacedConfigMap',
      consumes: ['application/merge-patch+json'],
      parameters: expect.arrayContaining([
        { parameter: { nonBody: { query: { in: 'query', name: 'dryRun', type: 'string', uniqueItems: true } } } },
        { jsonReference: { _ref: expect.stringMatching(/^#\/parameters\/force-/) } },
      ]),
      responses: {
        responseCode: expect.arrayContaining([
          { name: '401', value: { response: { description: 'Unauthorized' } } },
          {
            name: '200',
            value: {
              response: {
                description: 'OK',
                schema: { schema: { _ref: '#/definitions/io.k8s.api.core.v1.ConfigMap' } },
              },
            },
          },
        ]),
      },
    },
  });
});

test('OpenAPI 3.0 in protobuf', async () => {
  const stored = (await documents.openApi('api/v1'))!;
  const json = JSON.parse((await stored.bytes('json')).toString());
  const decoded = decode(v3, await stored.bytes('protobuf')) as Record<string, Record<string, Named[]>>;
  expect(decoded).toMatchObject({ openapi: '3.0.0', info: { title: 'Kubernetes', version: '1.36' } });
  const schemas = (decoded.components!.schemas as unknown as { additionalProperties: Named[] }).additionalProperties;
  expect(schemas.map(({ name }) => name)).toEqual(Object.keys(json.components.schemas));
  expect(decoded.paths!.path!.map(({ name }) => name)).toEqual(Object.keys(json.paths));
  expect(entryOf(schemas, 'io.k8s.api.core.v1.Pod')).toMatchObject({
    schema: {
      properties: {
        additionalProperties: expect.arrayContaining([
          {
            name: 'spec',
            value: {
              schema: {
                ...described,
                allOf: [{ reference: { _ref: '#/components/schemas/io.k8s.api.core.v1.PodSpec' } }],
              },
            },
          },
        ]),
      },
    },
  });
  expect(entryOf(schemas, 'io.k8s.api.core.v1.ContainerPort')).toMatchObject({
    schema: {
      properties: {
        additionalProperties: expect.arrayContaining([
          {
            name: 'containerPort',
            value: { schema: { ...described, type: 'integer', format: 'int32', default: { number: 0 } } },
          },
        ]),
      },
    },
  });
  const pod = { reference: { _ref: '#/components/schemas/io.k8s.api.core.v1.Pod' } };
  const content = { additionalProperties: [{ name: 'application/json', value: { schema: pod } }] };
  const sent = { additionalProperties: [{ name: '*/*', value: { schema: pod } }] };
  expect(entryOf(decoded.paths!.path!, '/api/v1/namespaces/{namespace}/pods/{name}')).toMatchObject({
    put: {
      operationId: 'replaceCoreV1NamespacedPod',
      parameters: expect.arrayContaining([
        { parameter: { name: 'dryRun', in: 'query', schema: { schema: { type: 'string' } } } },
      ]),
      requestBody: { requestBody: { content: sent, required: true } },
      responses: {
        responseOrReference: expect.arrayContaining([
          { name: '201', value: { response: { description: 'Created', content } } },
        ]),
      },
    },
  });
});
