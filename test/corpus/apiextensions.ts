import type { CorpusEntry } from './corpus-entry.ts';

const names = { plural: 'boats', kind: 'Boat' };
const completeNames = { plural: 'boats', singular: 'boat', kind: 'Boat', listKind: 'BoatList' };
const openObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function version(openAPIV3Schema: object, more: object = {}) {
  return { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...more };
}

function definition(...versions: readonly object[]) {
  return {
    metadata: { name: 'boats.harbour.example.com' },
    spec: { group: 'harbour.example.com', names, scope: 'Namespaced', versions },
  };
}

/** Returns a definition whose objects have one field with this schema. */
function withField(field: object) {
  return definition(version({ type: 'object', properties: { field } }));
}

const blankStatus = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] };
const field = 'spec.validation.openAPIV3Schema.properties[field]';

const richVersions = [
  version(
    {
      type: 'object',
      required: ['spec'],
      properties: {
        spec: {
          type: 'object',
          properties: {
            flag: { type: 'string', enum: ['red', 'blue'], default: 'red' },
            crew: {
              type: 'array',
              items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
              'x-kubernetes-list-map-keys': ['name'],
              'x-kubernetes-list-type': 'map',
            },
            length: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
            cargo: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
          },
        },
      },
    },
    {
      subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
      additionalPrinterColumns: [{ name: 'Flag', type: 'string', jsonPath: '.spec.flag' }],
      selectableFields: [{ jsonPath: '.spec.flag' }],
    },
  ),
  { name: 'v1beta1', served: true, storage: false, deprecated: true, schema: { openAPIV3Schema: openObject } },
];

export const corpus: CorpusEntry[] = [
  {
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    valid: [
      {
        name: 'minimal',
        object: definition(version(openObject)),
        expected: {
          spec: {
            group: 'harbour.example.com',
            names: completeNames,
            scope: 'Namespaced',
            versions: [version(openObject)],
            conversion: { strategy: 'None' },
          },
          status: blankStatus,
        },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'boats.harbour.example.com' },
          spec: {
            group: 'harbour.example.com',
            names: { ...names, singular: 'ship', shortNames: ['bt'], categories: ['all'] },
            scope: 'Cluster',
            versions: richVersions,
            conversion: {
              strategy: 'Webhook',
              webhook: {
                clientConfig: { service: { namespace: 'harbour', name: 'converter' } },
                conversionReviewVersions: ['v1'],
              },
            },
          },
        },
        expected: {
          spec: {
            group: 'harbour.example.com',
            names: { ...completeNames, singular: 'ship', shortNames: ['bt'], categories: ['all'] },
            scope: 'Cluster',
            versions: richVersions,
            conversion: {
              strategy: 'Webhook',
              webhook: {
                clientConfig: { service: { namespace: 'harbour', name: 'converter', port: 443 } },
                conversionReviewVersions: ['v1'],
              },
            },
          },
          status: blankStatus,
        },
      },
    ],
    invalid: [
      {
        name: 'names that are none',
        object: {
          metadata: { name: 'boats.harbour' },
          spec: {
            ...definition(version(openObject)).spec,
            group: 'harbour',
            names: { plural: 'boats', kind: '' },
            scope: '',
          },
        },
        errors: [
          'spec.group: Invalid value: "harbour": should be a domain with at least one dot',
          'spec.scope: Required value',
          'spec.names.singular: Required value',
          'spec.names.kind: Required value',
          'spec.names.listKind: Required value',
        ],
      },
      {
        name: 'no version to store',
        object: definition(version(openObject, { storage: false })),
        errors: [
          'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version',
          'status.storedVersions: Invalid value: null: must have at least one stored version',
        ],
      },
      {
        name: 'an empty list of versions',
        object: definition(),
        errors: [
          'spec.versions: Invalid value: []: must have exactly one version marked as storage version',
          'status.storedVersions: Invalid value: null: must have at least one stored version',
        ],
      },
      {
        name: 'no versions',
        object: { ...definition(), spec: { ...definition().spec, versions: undefined } },
        errors: [
          'spec.versions: Invalid value: null: must have exactly one version marked as storage version',
          'status.storedVersions: Invalid value: null: must have at least one stored version',
        ],
      },
      {
        name: 'versions that differ, one of them without schema',
        object: definition(version(openObject), {
          name: 'v2',
          served: true,
          storage: false,
          deprecationWarning: 'old',
        }),
        errors: [
          'spec.versions[1].schema.openAPIV3Schema: Required value',
          'spec.versions[1].deprecationWarning: Invalid value: "old": can only be set for deprecated versions',
        ],
      },
      {
        name: 'a schema that says too little',
        object: withField({ type: 'array', items: { properties: { a: {} } } }),
        errors: [
          `${field}.items.properties[a].type: Required value: must not be empty for specified object fields`,
          `${field}.items.type: Required value: must not be empty for specified array items`,
        ],
      },
      {
        name: 'a restriction of a field that is not there',
        object: withField({
          type: 'object',
          anyOf: [{ required: ['a'] }, { properties: { b: { type: 'string', nullable: true } } }],
        }),
        errors: [
          `${field}.anyOf[1].properties[b].nullable: Forbidden: must be false to be structural`,
          `${field}.anyOf[1].properties[b].type: Forbidden: must be empty to be structural`,
        ],
      },
      {
        name: 'defaults that are refused themselves',
        object: withField({
          type: 'object',
          properties: { size: { type: 'integer', maximum: 5 }, colour: { type: 'string', enum: ['red'] } },
          default: { size: 9, colour: 'green', shape: 'round' },
        }),
        errors: [
          `${field}.default: Invalid value: {"colour":"green","shape":"round","size":9}: must not have unknown fields`,
          `${field}.default.colour: Unsupported value: "green": supported values: "red"`,
          `${field}.default.size: Invalid value: 9: size in body should be less than or equal to 5`,
        ],
      },
      {
        name: 'lists that cannot be merged',
        object: withField({
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['a', 'b', 'b'],
          items: { type: 'object', nullable: true, required: ['b'], properties: { b: { type: 'object' } } },
        }),
        errors: [
          `${field}.x-kubernetes-list-map-keys: Invalid value: ["a","b","b"]: entries must all be names of item properties`,
          `${field}.items.properties[b].type: Invalid value: "object": must be a scalar type if parent array's x-kubernetes-list-type is map`,
          `${field}.items.properties[b].type: Invalid value: "object": must be a scalar type if parent array's x-kubernetes-list-type is map`,
          `${field}.x-kubernetes-list-map-keys: Invalid value: ["a","b","b"]: must not contain duplicate entries`,
          `${field}.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is map`,
        ],
      },
      {
        name: 'a pattern that Go does not take',
        object: withField({ type: 'string', pattern: '^(?=a)' }),
        errors: [
          `${field}.pattern: Invalid value: "^(?=a)": must be a valid regular expression, but isn't: error parsing regexp: invalid or unsupported Perl syntax: \`(?=\``,
        ],
      },
      {
        name: 'paths that lead nowhere',
        object: definition(
          version(openObject, {
            subresources: { scale: { specReplicasPath: 'spec.n', statusReplicasPath: '' } },
            additionalPrinterColumns: [{ name: 'N', type: 'integer', format: 'short', jsonPath: '' }],
            selectableFields: [{ jsonPath: '.spec[0]' }],
          }),
        ),
        errors: [
          'spec.subresources.scale.specReplicasPath: Invalid value: "spec.n": must be a simple json path starting with .',
          'spec.subresources.scale.statusReplicasPath: Required value',
          'spec.additionalPrinterColumns[0].format: Invalid value: "short": must be one of byte,date,date-time,double,float,int32,int64,password',
          'spec.additionalPrinterColumns[0].JSONPath: Required value',
          'spec.selectableFields[0].jsonPath: Invalid value: ".spec[0]": is an invalid path: does not refer to a valid field',
        ],
      },
      {
        name: 'rules without words',
        object: withField({
          type: 'object',
          'x-kubernetes-validations': [
            { rule: ' ' },
            { rule: 'true', message: ' ', reason: 'Because', fieldPath: '.a' },
            { rule: 'true\n&& true', messageExpression: ' ' },
          ],
        }),
        errors: [
          `${field}.x-kubernetes-validations[0].rule: Required value: rule is not specified`,
          `${field}.x-kubernetes-validations[1].message: Invalid value: " ": must be non-empty if specified`,
          `${field}.x-kubernetes-validations[1].reason: Unsupported value: "Because": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"`,
          `${field}.x-kubernetes-validations[1].fieldPath: Invalid value: ".a": must be a valid path`,
          `${field}.x-kubernetes-validations[2].message: Required value: message must be specified if rule contains line breaks`,
          `${field}.x-kubernetes-validations[2].messageExpression: Required value: must be non-empty if specified`,
        ],
      },
      {
        name: 'a conversion that converts nothing',
        object: {
          metadata: { name: 'boats.harbour.example.com' },
          spec: {
            ...definition(version(openObject)).spec,
            conversion: {
              strategy: 'Webhook',
              webhook: { clientConfig: { url: 'http://h?q' }, conversionReviewVersions: ['v2', 'v2'] },
            },
          },
        },
        errors: [
          `spec.conversion.webhookClientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
          'spec.conversion.webhookClientConfig.url: Invalid value: "q": query parameters are not permitted in the URL',
          'spec.conversion.conversionReviewVersions[1]: Invalid value: "v2": duplicate version',
          'spec.conversion.conversionReviewVersions: Invalid value: ["v2","v2"]: must include at least one of v1, v1beta1',
        ],
      },
      {
        name: 'a protected group with a word that approves nothing',
        object: {
          metadata: { name: 'boats.harbour.k8s.io', annotations: { 'api-approved.kubernetes.io': 'yes' } },
          spec: { ...definition(version(openObject)).spec, group: 'harbour.k8s.io' },
        },
        errors: [
          'metadata.annotations[api-approved.kubernetes.io]: Invalid value: "yes": protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111',
        ],
      },
    ],
  },
];
