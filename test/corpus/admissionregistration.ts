import type { CorpusEntry } from './corpus-entry.ts';

const root = '/apis/admissionregistration.k8s.io/v1';

const rule = { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
const completeRule = { ...rule, scope: '*' };
const match = { resourceRules: [rule] };
const completeMatch = {
  namespaceSelector: {},
  objectSelector: {},
  resourceRules: [completeRule],
  matchPolicy: 'Equivalent',
};

const webhook = {
  name: 'check.shop.example.com',
  clientConfig: { url: 'https://hooks.example.com/check' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const completeWebhook = {
  ...webhook,
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

const richWebhook = {
  ...webhook,
  clientConfig: { service: { namespace: 'shop', name: 'checker', path: '/v1/check' }, caBundle: 'Y2VydGlmaWNhdGU=' },
  rules: [
    { ...rule, scope: 'Namespaced' },
    { ...rule, resources: ['pods', 'pods/*'] },
  ],
  failurePolicy: 'Ignore',
  matchPolicy: 'Exact',
  namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'In', values: ['red'] }] },
  objectSelector: { matchLabels: { checked: 'no' } },
  sideEffects: 'NoneOnDryRun',
  timeoutSeconds: 3,
  admissionReviewVersions: ['v1beta1', 'v2'],
  matchConditions: [{ name: 'not-mine', expression: 'request.userInfo.username != "checker"' }],
};
const completeRichWebhook = {
  ...richWebhook,
  clientConfig: {
    service: { namespace: 'shop', name: 'checker', path: '/v1/check', port: 443 },
    caBundle: 'Y2VydGlmaWNhdGU=',
  },
  rules: [
    { ...rule, scope: 'Namespaced' },
    { ...rule, resources: ['pods', 'pods/*'], scope: '*' },
  ],
};

const webhookProblems = [
  {
    name: 'everything of a webhook missing',
    object: { metadata: { name: 'empty' }, webhooks: [{}] },
    errors: [
      'webhooks[0].name: Required value',
      'webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun',
      'webhooks[0].clientConfig: Required value: exactly one of url or service is required',
      'webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1',
    ],
  },
  {
    name: 'rules that contradict themselves',
    object: {
      metadata: { name: 'rules' },
      webhooks: [
        {
          ...webhook,
          rules: [
            {
              operations: ['*', 'READ'],
              apiGroups: ['*', ''],
              apiVersions: ['v1', ''],
              resources: ['pods/*', 'pods/log'],
            },
            { ...rule, resources: ['*/*', 'pods', ''], scope: 'Galaxy' },
          ],
        },
      ],
    },
    errors: [
      `webhooks[0].rules[0].operations: Invalid value: ["*","READ"]: if '*' is present, must not specify other operations`,
      'webhooks[0].rules[0].operations[1]: Unsupported value: "READ": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
      `webhooks[0].rules[0].apiGroups: Invalid value: ["*",""]: if '*' is present, must not specify other API groups`,
      'webhooks[0].rules[0].apiVersions[1]: Required value',
      `webhooks[0].rules[0].resources[1]: Invalid value: "pods/log": if 'pods/*' is present, must not specify pods/log`,
      'webhooks[0].rules[1].resources[2]: Required value',
      `webhooks[0].rules[1].resources: Invalid value: ["*/*","pods",""]: if '*/*' is present, must not specify other resources`,
      'webhooks[0].rules[1].scope: Unsupported value: "Galaxy": supported values: "*", "Cluster", "Namespaced"',
    ],
  },
  {
    name: 'a service that is no service and a name that is taken',
    object: {
      metadata: { name: 'service' },
      webhooks: [
        webhook,
        {
          ...webhook,
          clientConfig: { service: { namespace: 'shop', name: '', port: 0, path: 'a//B' } },
          timeoutSeconds: 60,
        },
      ],
    },
    errors: [
      'webhooks[1].timeoutSeconds: Invalid value: 60: the timeout value must be between 1 and 30 seconds',
      'webhooks[1].clientConfig.service.namespace: Required value',
      'webhooks[1].clientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive',
      `webhooks[1].clientConfig.service.path: Invalid value: "a//B": must start with a '/'`,
      'webhooks[1].clientConfig.service.path: Invalid value: "a//B": segment[0] may not be empty',
      'webhooks[1].clientConfig.service.path: Invalid value: "a//B": segment[1] may not be empty',
      `webhooks[1].clientConfig.service.path: Invalid value: "a//B": segment[2]: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      'webhooks[1].name: Duplicate value: "check.shop.example.com"',
    ],
  },
];

const bindingProblems = [
  {
    name: 'no policy',
    object: { metadata: { name: 'none' }, spec: { validationActions: ['Audit'] } },
    errors: ['spec.policyName: Required value'],
  },
  {
    name: 'parameters by name and selector',
    object: {
      metadata: { name: 'both' },
      spec: { policyName: 'limit', validationActions: ['Audit'], paramRef: { name: 'a/b', selector: {} } },
    },
    errors: [
      `spec.paramRef.name: Invalid value: "a/b": may not contain '/'`,
      'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
      'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
      'spec.paramRef.parameterNotFoundAction: Required value',
    ],
  },
  {
    name: 'a name twice',
    object: {
      metadata: { name: 'twice' },
      spec: {
        policyName: 'limit',
        validationActions: ['Audit'],
        matchResources: { resourceRules: [{ ...rule, resourceNames: ['a', 'a'] }] },
      },
    },
    errors: ['spec.matchResources.resourceRules[0].resourceNames[1]: Duplicate value: "a"'],
  },
];

const mutation = { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{spec: Object.spec{}}' } };

export const corpus: CorpusEntry[] = [
  {
    path: `${root}/validatingwebhookconfigurations`,
    valid: [
      { name: 'no webhooks', object: { metadata: { name: 'none' } }, expected: {} },
      {
        name: 'minimal',
        object: { metadata: { name: 'minimal' }, webhooks: [webhook] },
        expected: { webhooks: [completeWebhook] },
      },
      {
        name: 'rich',
        object: { metadata: { name: 'rich', finalizers: ['bare'] }, webhooks: [richWebhook] },
        expected: { webhooks: [completeRichWebhook] },
      },
    ],
    invalid: webhookProblems,
  },
  {
    path: `${root}/mutatingwebhookconfigurations`,
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'minimal' }, webhooks: [webhook] },
        expected: { webhooks: [{ ...completeWebhook, reinvocationPolicy: 'Never' }] },
      },
      {
        name: 'rich',
        object: { metadata: { name: 'rich' }, webhooks: [{ ...richWebhook, reinvocationPolicy: 'IfNeeded' }] },
        expected: { webhooks: [{ ...completeRichWebhook, reinvocationPolicy: 'IfNeeded' }] },
      },
    ],
    invalid: [
      ...webhookProblems,
      {
        name: 'unknown choices',
        object: {
          metadata: { name: 'choices' },
          webhooks: [{ ...webhook, failurePolicy: 'Retry', matchPolicy: 'Fuzzy', reinvocationPolicy: 'Always' }],
        },
        errors: [
          'webhooks[0].failurePolicy: Unsupported value: "Retry": supported values: "Fail", "Ignore"',
          'webhooks[0].matchPolicy: Unsupported value: "Fuzzy": supported values: "Equivalent", "Exact"',
          'webhooks[0].reinvocationPolicy: Unsupported value: "Always": supported values: "IfNeeded", "Never"',
        ],
      },
    ],
  },
  {
    path: `${root}/validatingadmissionpolicies`,
    valid: [
      {
        name: 'minimal',
        object: {
          metadata: { name: 'minimal' },
          spec: { matchConstraints: match, validations: [{ expression: 'true' }] },
        },
        expected: {
          spec: { matchConstraints: completeMatch, validations: [{ expression: 'true' }], failurePolicy: 'Fail' },
          status: {},
        },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'rich' },
          spec: {
            paramKind: { apiVersion: 'rules.example.com/v1', kind: 'Limit' },
            matchConstraints: { ...match, excludeResourceRules: [{ ...rule, resourceNames: ['legacy'] }] },
            failurePolicy: 'Ignore',
            variables: [{ name: 'wanted', expression: 'object.spec.replicas' }],
            validations: [{ expression: 'variables.wanted < 5', message: 'too many', reason: 'Invalid' }],
            auditAnnotations: [{ key: 'wanted', valueExpression: 'string(variables.wanted)' }],
            matchConditions: [{ name: 'new', expression: 'oldObject == null' }],
          },
        },
        expected: {
          spec: {
            paramKind: { apiVersion: 'rules.example.com/v1', kind: 'Limit' },
            matchConstraints: {
              ...completeMatch,
              excludeResourceRules: [{ ...completeRule, resourceNames: ['legacy'] }],
            },
            failurePolicy: 'Ignore',
            variables: [{ name: 'wanted', expression: 'object.spec.replicas' }],
            validations: [{ expression: 'variables.wanted < 5', message: 'too many', reason: 'Invalid' }],
            auditAnnotations: [{ key: 'wanted', valueExpression: 'string(variables.wanted)' }],
            matchConditions: [{ name: 'new', expression: 'oldObject == null' }],
          },
          status: {},
        },
      },
    ],
    invalid: [
      {
        name: 'nothing to validate',
        object: { metadata: { name: 'nothing' } },
        errors: [
          'spec.matchConstraints: Required value',
          'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
          'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
        ],
      },
      {
        name: 'texts that say nothing',
        object: {
          metadata: { name: 'texts' },
          spec: {
            matchConstraints: match,
            variables: [{ name: 'for', expression: ' ' }],
            validations: [{ expression: ' ', message: 'one\ntwo', messageExpression: ' ', reason: 'Because' }],
            auditAnnotations: [
              { key: 'a', valueExpression: '' },
              { key: 'a', valueExpression: 'null' },
            ],
          },
        },
        errors: [
          'spec.variables[0].name: Invalid value: "for": must be a valid CEL identifier',
          'spec.variables[0].expression: Required value: expression is not specified',
          'spec.validations[0].expression: Required value: expression is not specified',
          'spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified',
          'spec.validations[0].message: Invalid value: "one\\ntwo": must not contain line breaks',
          'spec.validations[0].reason: Unsupported value: "Because": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
          'spec.auditAnnotations[0].valueExpression: Required value: valueExpression is not specified',
          'spec.auditAnnotations[1].key: Duplicate value: "a"',
        ],
      },
      {
        name: 'kinds of parameters that cannot be',
        object: {
          metadata: { name: 'params' },
          spec: {
            matchConstraints: { matchPolicy: 'Fuzzy' },
            failurePolicy: 'Retry',
            paramKind: { apiVersion: 'example.com/', kind: 'Über' },
            validations: [{ expression: 'true' }],
          },
        },
        errors: [
          'spec.failurePolicy: Unsupported value: "Retry": supported values: "Fail", "Ignore"',
          'spec.paramKind.apiVersion: Invalid value: "example.com/": version must be specified',
          `spec.paramKind.kind: Invalid value: "Über": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
          'spec.matchConstraints.matchPolicy: Unsupported value: "Fuzzy": supported values: "Equivalent", "Exact"',
          'spec.matchConstraints.resourceRules: Required value',
        ],
      },
      {
        name: 'literals of the wrong type',
        object: {
          metadata: { name: 'literals' },
          spec: {
            matchConstraints: match,
            validations: [{ expression: '"yes"', messageExpression: '1.5' }],
            auditAnnotations: [{ key: 'a', valueExpression: 'true' }],
          },
        },
        errors: [
          'spec.validations[0].expression: Invalid value: "\\"yes\\"": must evaluate to bool but got string',
          'spec.validations[0].messageExpression: Invalid value: "1.5": must evaluate to string but got double',
          'spec.auditAnnotations[0].valueExpression: Invalid value: "true": must evaluate to one of [string null_type] but got bool',
        ],
      },
    ],
  },
  {
    path: `${root}/mutatingadmissionpolicies`,
    valid: [
      {
        name: 'minimal',
        object: {
          metadata: { name: 'minimal' },
          spec: { matchConstraints: match, mutations: [mutation], reinvocationPolicy: 'Never' },
        },
        expected: {
          spec: {
            matchConstraints: completeMatch,
            mutations: [mutation],
            failurePolicy: 'Fail',
            reinvocationPolicy: 'Never',
          },
        },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'rich' },
          spec: {
            matchConstraints: { ...match, matchPolicy: 'Exact' },
            variables: [{ name: 'label', expression: '"red"' }],
            mutations: [mutation, { patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "remove"}]' } }],
            failurePolicy: 'Ignore',
            matchConditions: [{ name: 'always', expression: 'true' }],
            reinvocationPolicy: 'IfNeeded',
          },
        },
        expected: {
          spec: {
            matchConstraints: { ...completeMatch, matchPolicy: 'Exact' },
            variables: [{ name: 'label', expression: '"red"' }],
            mutations: [mutation, { patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "remove"}]' } }],
            failurePolicy: 'Ignore',
            matchConditions: [{ name: 'always', expression: 'true' }],
            reinvocationPolicy: 'IfNeeded',
          },
        },
      },
    ],
    invalid: [
      {
        name: 'empty',
        object: { metadata: { name: 'empty' }, spec: {} },
        errors: [
          'spec.matchConstraints: Required value',
          'spec.mutations: Required value: mutations must contain at least one item',
          'spec.reinvocationPolicy: Required value',
        ],
      },
      {
        name: 'deletions',
        object: {
          metadata: { name: 'deletions' },
          spec: {
            matchConstraints: { resourceRules: [{ ...rule, operations: ['DELETE'] }] },
            mutations: [mutation],
            reinvocationPolicy: 'Never',
          },
        },
        errors: [
          'spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
        ],
      },
      {
        name: 'the body of another patch',
        object: {
          metadata: { name: 'bodies' },
          spec: {
            matchConstraints: match,
            mutations: [
              { patchType: 'JSONPatch', applyConfiguration: { expression: 'Object{}' } },
              { patchType: 'ApplyConfiguration', applyConfiguration: {} },
              {},
            ],
            reinvocationPolicy: 'Never',
          },
        },
        errors: [
          'spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch',
          'spec.mutations[0].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch',
          'spec.mutations[1].applyConfiguration.expression: Required value',
          'spec.mutations[2].patchType: Required value',
        ],
      },
    ],
  },
  {
    path: `${root}/validatingadmissionpolicybindings`,
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'minimal' }, spec: { policyName: 'limit', validationActions: ['Warn'] } },
        expected: { spec: { policyName: 'limit', validationActions: ['Warn'] } },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'rich' },
          spec: {
            policyName: 'limit',
            paramRef: { selector: { matchLabels: { limit: 'yes' } }, parameterNotFoundAction: 'Allow' },
            matchResources: match,
            validationActions: ['Deny', 'Audit'],
          },
        },
        expected: {
          spec: {
            policyName: 'limit',
            paramRef: { selector: { matchLabels: { limit: 'yes' } }, parameterNotFoundAction: 'Allow' },
            matchResources: completeMatch,
            validationActions: ['Deny', 'Audit'],
          },
        },
      },
    ],
    invalid: [
      ...bindingProblems,
      {
        name: 'actions that do not go together',
        object: {
          metadata: { name: 'actions' },
          spec: { policyName: 'limit', validationActions: ['Warn', 'Deny', 'Log', 'Warn'] },
        },
        errors: [
          'spec.validationActions[2]: Unsupported value: "Log": supported values: "Audit", "Deny", "Warn"',
          'spec.validationActions[3]: Duplicate value: "Warn"',
          'spec.validationActions: Invalid value: ["Warn","Deny","Log","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
        ],
      },
    ],
  },
  {
    path: `${root}/mutatingadmissionpolicybindings`,
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'minimal' }, spec: { policyName: 'paint' } },
        expected: { spec: { policyName: 'paint' } },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'rich' },
          spec: {
            policyName: 'paint',
            paramRef: { name: 'colour', namespace: 'shop', parameterNotFoundAction: 'Deny' },
            matchResources: { objectSelector: { matchLabels: { paint: 'me' } } },
          },
        },
        expected: {
          spec: {
            policyName: 'paint',
            paramRef: { name: 'colour', namespace: 'shop', parameterNotFoundAction: 'Deny' },
            matchResources: {
              namespaceSelector: {},
              objectSelector: { matchLabels: { paint: 'me' } },
              matchPolicy: 'Equivalent',
            },
          },
        },
      },
    ],
    invalid: bindingProblems,
  },
];
