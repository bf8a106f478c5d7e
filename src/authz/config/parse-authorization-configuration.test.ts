import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAuthorizationConfiguration } from './parse-authorization-configuration.ts';

let directory: string;
let file: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'authorization-'));
  file = join(directory, 'config');
  writeFileSync(file, '');
});

afterAll(() => rmSync(directory, { recursive: true }));

const parse = (content: string) => parseAuthorizationConfiguration(Buffer.from(content));

function configured(...authorizers: unknown[]): string {
  return JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthorizationConfiguration', authorizers });
}

function webhook(more: object = {}): object {
  return {
    type: 'Webhook',
    name: 'w',
    webhook: {
      timeout: '3s',
      subjectAccessReviewVersion: 'v1',
      failurePolicy: 'Deny',
      connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: file },
      ...more,
    },
  };
}

describe('an AuthorizationConfiguration', () => {
  it('is parsed with all fields', () => {
    const content = `
apiVersion: apiserver.config.k8s.io/v1
kind: AuthorizationConfiguration
authorizers:
- type: Node
  name: node
- type: Webhook
  name: first.example.com
  webhook:
    authorizedTTL: 1m30s
    unauthorizedTTL: 500ms
    timeout: 3s
    subjectAccessReviewVersion: v1beta1
    matchConditionSubjectAccessReviewVersion: v1
    failurePolicy: Deny
    connectionInfo:
      type: KubeConfigFile
      kubeConfigFile: ${file}
    matchConditions:
    - expression: has(request.resourceAttributes)
    - expression: request.resourceAttributes.namespace == 'kube-system'
- type: Webhook
  name: second
  webhook:
    cacheAuthorizedRequests: false
    unauthorizedTTL: 0s
    timeout: 30s
    subjectAccessReviewVersion: v1
    failurePolicy: NoOpinion
    connectionInfo: {type: KubeConfigFile, kubeConfigFile: ${file}}
- {type: RBAC, name: rbac}
`;
    expect(parse(content)).toEqual({
      authorizers: [
        { type: 'Node', name: 'node' },
        {
          type: 'Webhook',
          name: 'first.example.com',
          webhook: {
            kubeConfigFile: file,
            version: 'v1beta1',
            timeoutMs: 3_000,
            authorizedMs: 90_000,
            unauthorizedMs: 500,
            failurePolicy: 'Deny',
            matchConditions: [
              'has(request.resourceAttributes)',
              "request.resourceAttributes.namespace == 'kube-system'",
            ],
          },
        },
        {
          type: 'Webhook',
          name: 'second',
          webhook: {
            kubeConfigFile: file,
            version: 'v1',
            timeoutMs: 30_000,
            authorizedMs: 0,
            unauthorizedMs: 30_000,
            failurePolicy: 'NoOpinion',
            matchConditions: [],
          },
        },
        { type: 'RBAC', name: 'rbac' },
      ],
    });
  });

  it.each(['v1alpha1', 'v1beta1'])('may be of %s', (version) => {
    expect(parse(configured({ type: 'RBAC', name: 'rbac' }).replace('/v1', `/${version}`)).authorizers).toHaveLength(1);
  });

  const wrongKind = 'must be of kind "AuthorizationConfiguration" and apiVersion "apiserver.config.k8s.io/v1"';

  it.each<[name: string, content: () => string, problem: string]>([
    ['no YAML', () => '{', 'yaml: line 1: did not find expected node content'],
    ['nothing', () => '', wrongKind],
    ['another version', () => configured().replace('/v1', '/v2'), wrongKind],
    ['another kind', () => configured().replace('AuthorizationC', 'AuthenticationC'), wrongKind],
    [
      'unknown fields',
      () => configured({ type: 'RBAC', name: 'rbac', mode: 1 }, webhook({ cache: true })),
      'strict decoding error: unknown field "authorizers[0].mode", unknown field "authorizers[1].webhook.cache"',
    ],
    [
      'a field twice',
      () =>
        'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nkind: AuthorizationConfiguration\n',
      'strict decoding error: line 3: key "kind" already set in map',
    ],
    [
      'no authorizers',
      () => configured(),
      'authorizers: Required value: at least one authorization mode must be defined',
    ],
    ['no type', () => configured({ name: 'a' }), 'authorizers[0].type: Required value'],
    [
      'an unknown type',
      () => configured({ type: 'rbac', name: 'rbac' }),
      'authorizers[0].type: Unsupported value: "rbac": supported values: "ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"',
    ],
    [
      'a type twice',
      () => configured({ type: 'RBAC', name: 'rbac' }, { type: 'RBAC', name: 'rbac2' }),
      'authorizers[1].type: Duplicate value: "RBAC"',
    ],
    ['no name', () => configured({ type: 'RBAC' }), 'authorizers[0].name: Required value'],
    ['a name twice', () => configured(webhook(), webhook()), 'authorizers[1].name: Duplicate value: "w"'],
    [
      'a name that is none',
      () => configured({ ...webhook(), name: 'A' }),
      `authorizers[0].name: Invalid value: "A": authorizer name is invalid: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    ],
    [
      'another name',
      () => configured({ type: 'RBAC', name: 'roles' }),
      'authorizers[0].name: Invalid value: "roles": expected name rbac for authorizer RBAC',
    ],
    [
      'no webhook',
      () => configured({ type: 'Webhook', name: 'w' }),
      'authorizers[0].webhook: Required value: required when type=Webhook',
    ],
    [
      'a webhook too many',
      () => configured({ type: 'RBAC', name: 'rbac', webhook: {} }),
      'authorizers[0].webhook: Invalid value: "non-null": may only be specified when type=Webhook',
    ],
    [
      'a text for a list',
      () => configured().replace('[]', '"x"'),
      '[authorizers: Invalid value: "x": must be a list, authorizers: Required value: at least one authorization mode must be defined]',
    ],
  ])('is refused with %s', (_name, content, problem) => {
    expect(() => parse(content())).toThrow(new RangeError(`authorization configuration: ${problem}`));
  });

  const at = 'authorizers[0].webhook';

  it.each<[fields: object, problem: string]>([
    [{ timeout: undefined }, 'timeout: Required value'],
    [{ timeout: '31s' }, 'timeout: Invalid value: "31s": must be > 0s and <= 30s'],
    [{ timeout: '-1s' }, 'timeout: Invalid value: "-1s": must be > 0s and <= 30s'],
    [{ timeout: '3' }, 'timeout: Invalid value: "3": time: missing unit in duration "3"'],
    [{ authorizedTTL: '-1m' }, 'authorizedTTL: Invalid value: "-1m0s": must be > 0s'],
    [{ unauthorizedTTL: '-1m' }, 'unauthorizedTTL: Invalid value: "-1m0s": must be > 0s'],
    [{ cacheAuthorizedRequests: 'no' }, 'cacheAuthorizedRequests: Invalid value: "no": must be true or false'],
    [{ subjectAccessReviewVersion: '' }, 'subjectAccessReviewVersion: Required value'],
    [
      { subjectAccessReviewVersion: 'v2' },
      'subjectAccessReviewVersion: Unsupported value: "v2": supported values: "v1", "v1beta1"',
    ],
    [{ failurePolicy: undefined }, 'failurePolicy: Required value'],
    [{ failurePolicy: 'Fail' }, 'failurePolicy: Unsupported value: "Fail": supported values: "NoOpinion", "Deny"'],
    [{ connectionInfo: undefined }, 'connectionInfo.type: Required value'],
    [
      { connectionInfo: { type: 'InClusterConfig' } },
      'connectionInfo.type: Invalid value: "InClusterConfig": this server is not reached from within a cluster; use KubeConfigFile',
    ],
    [{ connectionInfo: { type: 'KubeConfigFile' } }, 'connectionInfo.kubeConfigFile: Required value'],
    [
      { connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'config' } },
      'connectionInfo.kubeConfigFile: Invalid value: "config": must be an absolute path',
    ],
    [
      { connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/' } },
      'connectionInfo.kubeConfigFile: Invalid value: "/": must be a regular file',
    ],
    [
      { matchConditions: [{ expression: 'true' }] },
      'matchConditionSubjectAccessReviewVersion: Required value: required if match conditions are specified',
    ],
    [
      { matchConditionSubjectAccessReviewVersion: 'v1beta1' },
      'matchConditionSubjectAccessReviewVersion: Unsupported value: "v1beta1": supported values: "v1"',
    ],
  ])('is refused with a webhook with %j', (fields, problem) => {
    expect(() => parse(configured(webhook(fields)))).toThrow(
      new RangeError(`authorization configuration: ${at}.${problem}`),
    );
  });

  it.each<[conditions: unknown[], problem: string]>([
    [[{ expression: ' ' }], '[0].expression: Required value'],
    [[{ expression: 'true' }, { expression: 'true' }], '[1].expression: Duplicate value: "true"'],
    [[{ expression: 'request.user' }], '[0].expression: Invalid value: "request.user": must evaluate to bool'],
    [
      [{ expression: 'request.nobody == 1' }],
      '[0].expression: Invalid value: "request.nobody == 1": compilation failed',
    ],
    [Array.from({ length: 65 }, () => ({ expression: 'true' })), ': Too many: 65: must have at most 64 items'],
  ])('is refused with invalid conditions: %j', (matchConditions, problem) => {
    const content = configured(webhook({ matchConditionSubjectAccessReviewVersion: 'v1', matchConditions }));
    expect(() => parse(content)).toThrow(`authorization configuration: ${at}.matchConditions${problem}`);
  });
});
