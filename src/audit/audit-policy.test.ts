import { describe, expect, it } from 'vitest';
import { AuditPolicy, type PolicySubject } from './audit-policy.ts';

const head = 'apiVersion: audit.k8s.io/v1\nkind: Policy\n';
const policyOf = (rules: readonly object[], rest: object = {}): AuditPolicy =>
  new AuditPolicy(JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', ...rest, rules }));

interface TestRequest {
  verb?: string;
  user?: string | undefined;
  groups?: string[];
  /** `group/resource/subresource`. */
  on?: string;
  namespace?: string;
  name?: string;
  path?: string;
}

function decide(policy: AuditPolicy, request: TestRequest) {
  const { verb = 'get', groups = [], on, namespace = '', name = '', path = '/x' } = request;
  const user = 'user' in request && request.user === undefined ? undefined : { name: request.user ?? 'u', groups };
  const [group = '', resource = '', subresource = ''] = on?.split('/') ?? [];
  const subject: PolicySubject = {
    user: user && { ...user, uid: '', extra: {} },
    info: { verb, path, target: on === undefined ? undefined : { group, resource, subresource } },
  };
  return policy.decide(subject, () => ({ namespace, name }));
}

describe('AuditPolicy', () => {
  const pods = { group: '', resources: ['pods'] };

  it.each<[string, object, TestRequest, boolean]>([
    ['nothing but a level: a resource', {}, { on: '/pods' }, true],
    ['nothing but a level: a path', {}, { path: '/healthz' }, true],
    ['a user', { users: ['a', 'b'] }, { user: 'b' }, true],
    ['another user', { users: ['a'] }, { user: 'b' }, false],
    ['nobody', { users: ['a'] }, { user: undefined }, false],
    ['one of the groups', { userGroups: ['g', 'h'] }, { groups: ['x', 'h'] }, true],
    ['no group', { userGroups: ['g'] }, { groups: [] }, false],
    ['nobody in a group', { userGroups: ['g'] }, { user: undefined }, false],
    ['a verb', { verbs: ['get', 'list'] }, { verb: 'list' }, true],
    ['another verb', { verbs: ['get'] }, { verb: 'list', on: '/pods' }, false],
    ['a resource', { resources: [pods] }, { on: '/pods' }, true],
    ['another resource', { resources: [pods] }, { on: '/secrets' }, false],
    ['another group', { resources: [pods] }, { on: 'apps/pods' }, false],
    ['a path for a resource', { resources: [pods] }, { path: '/pods' }, false],
    ['a subresource of it', { resources: [pods] }, { on: '/pods/log' }, false],
    ['that subresource', { resources: [{ group: '', resources: ['pods/log'] }] }, { on: '/pods/log' }, true],
    ['the resource of a subresource', { resources: [{ group: '', resources: ['pods/log'] }] }, { on: '/pods' }, false],
    ['everything in a group', { resources: [{ group: 'apps' }] }, { on: 'apps/deployments/scale' }, true],
    ['everything by a star', { resources: [{ group: '', resources: ['*'] }] }, { on: '/pods/log' }, true],
    ['a subresource of anything', { resources: [{ group: '', resources: ['*/log'] }] }, { on: '/pods/log' }, true],
    ['no subresource of anything', { resources: [{ group: '', resources: ['*/log'] }] }, { on: '/pods' }, false],
    ['all subresources', { resources: [{ group: '', resources: ['pods/*'] }] }, { on: '/pods/exec' }, true],
    ['all subresources: itself', { resources: [{ group: '', resources: ['pods/*'] }] }, { on: '/pods' }, true],
    ['all subresources: others', { resources: [{ group: '', resources: ['pods/*'] }] }, { on: '/podsx/exec' }, false],
    ['a name', { resources: [{ ...pods, resourceNames: ['a'] }] }, { on: '/pods', name: 'a' }, true],
    ['another name', { resources: [{ ...pods, resourceNames: ['a'] }] }, { on: '/pods', name: 'b' }, false],
    ['any name beside one', { resources: [{ ...pods, resourceNames: ['a'] }, pods] }, { on: '/pods', name: 'b' }, true],
    ['a namespace', { namespaces: ['n'] }, { on: '/pods', namespace: 'n' }, true],
    ['another namespace', { namespaces: ['n'] }, { on: '/pods', namespace: 'm' }, false],
    ['no namespace', { namespaces: [''] }, { on: '/nodes' }, true],
    ['a path for a namespace', { namespaces: [''] }, { path: '/healthz' }, false],
    ['a URL', { nonResourceURLs: ['/healthz'] }, { path: '/healthz' }, true],
    ['a longer URL', { nonResourceURLs: ['/healthz'] }, { path: '/healthz/etcd' }, false],
    ['the beginning of a URL', { nonResourceURLs: ['/healthz*'] }, { path: '/healthz/etcd' }, true],
    ['any URL', { nonResourceURLs: ['*'] }, { path: '/version' }, true],
    ['a resource for a URL', { nonResourceURLs: ['*'] }, { on: '/pods' }, false],
    [
      'all at once',
      { users: ['u'], verbs: ['get'], resources: [pods], namespaces: ['n'] },
      { on: '/pods', namespace: 'n' },
      true,
    ],
  ])('matches: %s', (_name, rule, request, expected) => {
    const policy = policyOf([{ level: 'Metadata', ...rule }]);
    const level = expected ? 'Metadata' : 'None';
    expect(decide(policy, request).level).toBe(level);
    // The second decision comes from the cache.
    expect(decide(policy, request).level).toBe(level);
  });

  it('uses the first matching rule', () => {
    const policy = policyOf([
      { level: 'None', users: ['quiet'] },
      { level: 'Request', resources: [pods] },
      { level: 'Metadata' },
      { level: 'RequestResponse' },
    ]);
    expect(decide(policy, { user: 'quiet', on: '/pods' }).level).toBe('None');
    expect(decide(policy, { on: '/pods' }).level).toBe('Request');
    expect(decide(policy, { on: '/nodes' }).level).toBe('Metadata');
  });

  it('combines omitted stages, and lets the rule override omitManagedFields', () => {
    const policy = policyOf(
      [
        { level: 'Request', users: ['a'], omitStages: ['Panic'], omitManagedFields: false },
        { level: 'Request', users: ['b'] },
      ],
      { omitStages: ['RequestReceived'], omitManagedFields: true },
    );
    const first = decide(policy, { user: 'a' });
    expect([...first.omitted]).toEqual(['RequestReceived', 'Panic']);
    expect(first.omitManagedFields).toBe(false);
    const second = decide(policy, { user: 'b' });
    expect([...second.omitted]).toEqual(['RequestReceived']);
    expect(second.omitManagedFields).toBe(true);
  });

  it('is read from YAML, with comments and metadata', () => {
    const policy = new AuditPolicy(`# who reads secrets
${head}metadata:
  name: p
omitStages: [RequestReceived]
rules:
- level: Metadata
  resources:
  - group: ""
    resources: ["secrets"]
`);
    expect(decide(policy, { on: '/secrets' }).level).toBe('Metadata');
    expect(decide(policy, { on: '/pods' }).level).toBe('None');
  });

  it('keeps the old policy when the replacement is invalid', () => {
    const policy = policyOf([{ level: 'Metadata' }]);
    expect(decide(policy, { on: '/pods' }).level).toBe('Metadata');
    expect(() => policy.replace(`${head}rules: [{level: Much}]`)).toThrow(RangeError);
    expect(decide(policy, { on: '/pods' }).level).toBe('Metadata');
    policy.replace(`${head}rules: [{level: Request}]`);
    expect(decide(policy, { on: '/pods' }).level).toBe('Request');
  });

  it('decides correctly when its cache overflows', () => {
    const policy = policyOf([{ level: 'Metadata', resources: [pods] }]);
    const others = Array.from({ length: 10_000 }, (_, index) => decide(policy, { on: `/r${index}` }).level);
    expect(new Set(others)).toEqual(new Set(['None']));
    expect(decide(policy, { on: '/pods' }).level).toBe('Metadata');
  });

  it.each<[string, string, string]>([
    ['nothing', '', "failed decoding: Object 'Kind' is missing"],
    ['no kind', 'apiVersion: audit.k8s.io/v1', "failed decoding: Object 'Kind' is missing"],
    ['no version', 'kind: Policy', "failed decoding: Object 'apiVersion' is missing"],
    [
      'an old version',
      'kind: Policy\napiVersion: audit.k8s.io/v1beta1',
      'failed decoding: no kind "Policy" is registered for version "audit.k8s.io/v1beta1": a Policy of version "audit.k8s.io/v1" is needed',
    ],
    ['no rules', head, 'loaded illegal policy with 0 rules'],
    ['no YAML', `${head}rules: [`, 'failed decoding: yaml:'],
    ['a key twice', `${head}rules: [{level: None}]\nrules: []`, 'key "rules" already set in map'],
    ['an unknown field', `${head}rules: [{levels: None}]`, 'strict decoding error: unknown field "rules[0].levels"'],
    ['rules that are none', `${head}rules: a`, 'strict decoding error: rules: must be a list'],
    ['a rule that is none', `${head}rules: [a]`, 'rules[0]: must be an object'],
    ['numbers for names', `${head}rules: [{level: None, users: [1]}]`, 'rules[0].users: must be a list of strings'],
    ['a level that is none', `${head}rules: [{level: 1}]`, 'rules[0].level: must be a string'],
    ['a word for a boolean', `${head}omitManagedFields: maybe`, 'omitManagedFields: must be true or false'],
    ['no level', `${head}rules: [{}]`, 'rules[0].level: Required value'],
    [
      'an unknown level',
      `${head}rules: [{level: Much}]`,
      'rules[0].level: Unsupported value: "Much": supported values: "None", "Metadata", "Request", "RequestResponse"',
    ],
    [
      'an unknown stage',
      `${head}omitStages: [End]\nrules: [{level: None}]`,
      'omitStages[0]: Invalid value: "End": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
    ],
    [
      'a URL without a slash',
      `${head}rules: [{level: None, nonResourceURLs: [healthz]}]`,
      `rules[0].nonResourceURLs[0]: Invalid value: "healthz": non-resource URL rules must begin with a '/' character`,
    ],
    [
      'a star in a URL',
      `${head}rules: [{level: None, nonResourceURLs: ["/a*/b"]}]`,
      "non-resource URL wildcards '*' must be the final character of the rule",
    ],
    [
      'a version in a group',
      `${head}rules: [{level: None, resources: [{group: apps/v1}]}]`,
      'rules[0].resources.group: Invalid value: "apps/v1": a lowercase RFC 1123 subdomain',
    ],
    [
      'names without resources',
      `${head}rules: [{level: None, resources: [{resourceNames: [a]}]}]`,
      'rules[0].resources.resourceNames: Invalid value: ["a"]: using resourceNames requires at least one resource',
    ],
    [
      'resources and URLs',
      `${head}rules: [{level: None, namespaces: [a], nonResourceURLs: [/x]}]`,
      'rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs',
    ],
    ['two problems', `${head}rules: [{}, {}]`, '[rules[0].level: Required value, rules[1].level: Required value]'],
  ])('is refused: %s', (_name, content, problem) => {
    expect(() => new AuditPolicy(content)).toThrow(RangeError);
    expect(() => new AuditPolicy(content)).toThrow('loading audit policy file: ');
    expect(() => new AuditPolicy(content)).toThrow(problem);
  });
});
