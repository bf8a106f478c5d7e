import { describe, expect, it } from 'vitest';
import type { Authorizer } from '../../authz/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { StatusError } from '../../meta/status-error.ts';
import type { AdmissionRequest, AdmissionStep } from '../admission-request.ts';
import { testAuthorizer } from '../expressions/test-input.conformance.ts';
import type { ServedKind } from '../kind-finder.ts';
import { testRequest, testTarget } from '../test-request.conformance.ts';
import { validatingAdmissionPolicy } from './validating-admission-policy.ts';
import type { ValidatingBindingSpec, ValidatingPolicySpec } from './validating-policy.ts';

const everything = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };
const nobody = testAuthorizer(() => ({ decision: 'no-opinion', reason: 'nobody may' })).authorizer;
const limits = { group: 'example.com', version: 'v1', resource: 'limits' };

interface Setting {
  readonly policies: Readonly<Record<string, ValidatingPolicySpec>>;
  /** By default each policy has one binding, which denies. */
  readonly bindings?: Readonly<Record<string, ValidatingBindingSpec>>;
  readonly params?: readonly ResourceObject[];
  readonly kind?: ServedKind;
  readonly authorizer?: Authorizer;
  readonly request?: Partial<Omit<AdmissionRequest, 'target'>>;
}

/** Returns the result of a request while these policies are in force. */
async function outcomeOf({ policies, bindings, params = [], kind, authorizer = nobody, request }: Setting) {
  const bound = Object.keys(policies).map((name) => [name, { policyName: name, validationActions: ['Deny'] }]);
  const stored: Record<string, [string, object][]> = {
    validatingadmissionpolicies: Object.entries(policies).map(([name, spec]) => [
      name,
      { matchConstraints: { resourceRules: [everything] }, ...spec },
    ]),
    validatingadmissionpolicybindings: Object.entries(bindings ?? Object.fromEntries(bound)),
  };
  const namespace: ResourceObject = { metadata: { name: 'ns', labels: { env: 'prod' } } };
  const objects = {
    get: ({ resource }: { resource: string }, item: { name: string }) =>
      resource === 'namespaces' ? namespace : params.find(({ metadata }) => metadata.name === item.name),
    list: () => [...params],
  };
  const plugin = validatingAdmissionPolicy({ authorizer, kinds: { findKind: () => kind } });
  await plugin.follow!(
    {
      ...objects,
      async follow({ resource }, follower) {
        follower.onReset();
        for (const [name, spec] of stored[resource]!) follower.onPut({ metadata: { name }, spec });
        follower.onSynced?.();
      },
    },
    { onError: (error) => expect.unreachable(error.message), signal: new AbortController().signal },
  );
  const warnings: string[] = [];
  const annotations: Record<string, string> = {};
  const steps: AdmissionStep[] = [];
  const target = testTarget('/pods', 'Pod');
  let denied: StatusError | undefined;
  expect(plugin.handles!('CREATE', target)).toBe(true);
  try {
    await plugin.validate!(
      testRequest(target, {
        object: { metadata: { name: 'a' } },
        warn: (text) => warnings.push(text),
        annotate: (key, value) => {
          annotations[key] ??= value;
        },
        explain: (step) => steps.push(step),
        ...request,
      }),
      objects,
    );
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    denied = error;
  }
  return { denied, warnings, annotations, steps };
}

const deniedBy = (policy: string, message: string, binding = policy) =>
  `pods "a" is forbidden: ValidatingAdmissionPolicy '${policy}' with binding '${binding}' denied request: ${message}`;

const fails = { expression: 'false' };

describe('a denial', () => {
  it.each<[name: string, spec: ValidatingPolicySpec, message: string, code: number, reason: string]>([
    [
      'names the expression',
      { validations: [{ expression: ' 1 == 2 ' }] },
      'failed expression: 1 == 2',
      422,
      'Invalid',
    ],
    ['has the message', { validations: [{ ...fails, message: ' no ' }] }, 'no', 422, 'Invalid'],
    ['has the reason', { validations: [{ ...fails, message: 'no', reason: 'Forbidden' }] }, 'no', 403, 'Forbidden'],
    [
      'may say that the object is too large',
      { validations: [{ ...fails, message: 'no', reason: 'RequestEntityTooLarge' }] },
      'no',
      413,
      'RequestEntityTooLarge',
    ],
    [
      'has the result of the expression',
      { validations: [{ ...fails, message: 'no', messageExpression: "' not ' + object.metadata.name + ' '" }] },
      'not a',
      422,
      'Invalid',
    ],
    [
      'has the message when the expression fails',
      { validations: [{ ...fails, message: 'no', messageExpression: 'string(object.nothing)' }] },
      'no',
      422,
      'Invalid',
    ],
    [
      'has the message when the expression has several lines',
      { validations: [{ ...fails, message: 'no', messageExpression: "'a\\nb'" }] },
      'no',
      422,
      'Invalid',
    ],
    [
      'has the message when the expression is empty or too long',
      { validations: [{ ...fails, message: 'no', messageExpression: `'${'x'.repeat(6000)}'` }] },
      'no',
      422,
      'Invalid',
    ],
    [
      'is the first one',
      { validations: [{ expression: 'true' }, fails, { expression: '1 == 2' }] },
      'failed expression: false',
      422,
      'Invalid',
    ],
    [
      'says why an expression fails',
      { validations: [{ expression: 'object.nothing', reason: 'Forbidden' }, fails] },
      'compilation error: must evaluate to bool but got dyn',
      422,
      'Invalid',
    ],
    [
      'says why an annotation fails',
      { auditAnnotations: [{ key: 'k', valueExpression: 'string(object.nothing)' }] },
      "expression 'string(object.nothing)' resulted in error: no such key: nothing",
      422,
      'Invalid',
    ],
    [
      'says why a condition fails',
      { matchConditions: [{ name: 'c', expression: 'object.nothing == 1' }], validations: [fails] },
      "expression 'object.nothing == 1' resulted in error: no such key: nothing",
      422,
      'Invalid',
    ],
  ])('%s', async (_name, spec, message, code, reason) => {
    const { denied } = await outcomeOf({ policies: { p: spec } });
    expect(denied?.status).toMatchObject({
      code,
      reason,
      message: deniedBy('p', message),
      details: {
        name: 'a',
        kind: 'pods',
        causes: [{ message: deniedBy('p', message).slice('pods "a" is forbidden: '.length) }],
      },
    });
  });

  it('is that of the first policy by name, and all are explained', async () => {
    const policies = { b: { validations: [fails] }, a: { validations: [{ ...fails, message: 'first' }] } };
    const { denied, steps } = await outcomeOf({ policies });
    expect(denied?.message).toBe(deniedBy('a', 'first'));
    const step = { plugin: 'ValidatingAdmissionPolicy', phase: 'validate' };
    expect(steps).toEqual([
      { ...step, source: 'policy a, binding a', denied: 'first' },
      { ...step, source: 'policy b, binding b', denied: 'failed expression: false' },
    ]);
  });
});

describe('a failure policy of Ignore', () => {
  const failurePolicy = 'Ignore';
  it.each<[name: string, spec: ValidatingPolicySpec]>([
    ['a validation', { validations: [{ expression: 'object.nothing == 1' }] }],
    ['an annotation', { auditAnnotations: [{ key: 'k', valueExpression: 'string(object.nothing)' }] }],
    ['a condition', { matchConditions: [{ name: 'c', expression: 'object.nothing == 1' }], validations: [fails] }],
    ['a missing type of parameters', { paramKind: { apiVersion: 'x/v1', kind: 'X' }, validations: [fails] }],
  ])('ignores errors of %s', async (_name, spec) => {
    expect((await outcomeOf({ policies: { p: { ...spec, failurePolicy } } })).denied).toBeUndefined();
  });

  it('does not ignore a validation that is false', async () => {
    const validations = [{ expression: 'object.nothing == 1' }, fails];
    const { denied } = await outcomeOf({ policies: { p: { failurePolicy, validations } } });
    expect(denied?.message).toBe(deniedBy('p', 'failed expression: false'));
  });
});

describe('the actions of a binding', () => {
  const policies = {
    p: { validations: [{ ...fails, message: 'one' }, { expression: 'true' }, { ...fails, message: 'two' }] },
  };
  const warning = (message: string) =>
    `Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': ${message}`;

  it('warn', async () => {
    const bindings = { b: { policyName: 'p', validationActions: ['Warn'] } };
    const { denied, warnings, annotations } = await outcomeOf({ policies, bindings });
    expect({ denied, warnings, annotations }).toEqual({ warnings: [warning('one'), warning('two')], annotations: {} });
  });

  it('annotate the audit event, once', async () => {
    const validationActions = ['Audit', 'Warn'];
    const { warnings, annotations } = await outcomeOf({
      policies,
      bindings: { b: { policyName: 'p', validationActions } },
    });
    expect(warnings).toHaveLength(2);
    const failure = { message: 'one', policy: 'p', binding: 'b', expressionIndex: 0, validationActions };
    expect(annotations).toEqual({
      'validation.policy.admission.k8s.io/validation_failure': JSON.stringify([failure]),
    });
  });

  it('are those of each binding', async () => {
    const bindings = {
      b: { policyName: 'p', validationActions: ['Warn'] },
      c: { policyName: 'p', validationActions: ['Deny'] },
    };
    const { denied, warnings } = await outcomeOf({ policies, bindings });
    expect(warnings).toEqual([warning('one'), warning('two')]);
    expect(denied?.message).toBe(deniedBy('p', 'one', 'c'));
  });

  it('do not matter for errors of the configuration', async () => {
    const bindings = { b: { policyName: 'p', validationActions: ['Warn'] } };
    const spec = { paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' }, validations: [{ expression: 'true' }] };
    const { denied } = await outcomeOf({ policies: { p: spec }, bindings });
    expect(denied?.status).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message:
        'pods "a" is forbidden: ValidatingAdmissionPolicy \'p\' denied request: failed to configure policy: ' +
        "failed to find resource referenced by paramKind: 'example.com/v1, Kind=Limit'",
    });
  });
});

describe('parameters', () => {
  const paramKind = { apiVersion: 'example.com/v1', kind: 'Limit' };
  const kind = { storedType: limits, namespaced: false };
  const params = [1, 5].map((max) => ({ metadata: { name: `max-${max}` }, spec: { max } }));
  const spec = {
    paramKind,
    validations: [
      { expression: 'params == null || params.spec.max > 2', messageExpression: "'max is ' + string(params.spec.max)" },
    ],
    auditAnnotations: [{ key: 'max', valueExpression: "params == null ? '' : string(params.spec.max)" }],
  };
  const binding = (paramRef?: object): ValidatingBindingSpec => ({
    policyName: 'p',
    validationActions: ['Deny'],
    ...(paramRef && { paramRef }),
  });

  it.each<[name: string, paramRef: object | undefined, message: string | undefined]>([
    ['none', undefined, undefined],
    ['one', { name: 'max-5' }, undefined],
    ['another', { name: 'max-1' }, 'max is 1'],
    ['all', { selector: {} }, 'max is 1'],
    ['a missing one that is allowed', { name: 'x', parameterNotFoundAction: 'Allow' }, undefined],
    [
      'a missing one',
      { name: 'x', parameterNotFoundAction: 'Deny' },
      'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
    ],
  ])('%s', async (_name, paramRef, message) => {
    const { denied } = await outcomeOf({ policies: { p: spec }, bindings: { b: binding(paramRef) }, params, kind });
    expect(denied?.message).toBe(message && deniedBy('p', message, 'b'));
  });

  it('give annotations several values', async () => {
    const bindings = { b: binding({ name: 'max-5' }), c: binding({ selector: {} }), d: binding() };
    const { annotations } = await outcomeOf({ policies: { p: spec }, bindings, params, kind });
    expect(annotations).toEqual({ 'p/max': '5, 1' });
  });
});

it('cuts long annotations', async () => {
  const auditAnnotations = [
    { key: 'long', valueExpression: `'${'ä'.repeat(6000)}'` },
    { key: 'none', valueExpression: 'null' },
    { key: 'blank', valueExpression: "'  '" },
  ];
  const { annotations } = await outcomeOf({ policies: { p: { auditAnnotations } } });
  expect(annotations).toEqual({ 'p/long': 'ä'.repeat(5120) });
});

it('knows the namespace in validations and not in conditions', async () => {
  const spec = {
    matchConditions: [{ name: 'c', expression: 'namespaceObject == null' }],
    variables: [{ name: 'env', expression: "namespaceObject.metadata.labels['env']" }],
    validations: [{ ...fails, messageExpression: 'variables.env' }],
  };
  expect((await outcomeOf({ policies: { p: spec } })).denied?.message).toBe(deniedBy('p', 'prod'));
});

it('waits for the authorizer', async () => {
  const { authorizer, authorized } = testAuthorizer(async ({ verb }) =>
    verb === 'get' ? { decision: 'allow', reason: '' } : { decision: 'deny', reason: 'never' },
  );
  const spec = {
    variables: [{ name: 'decision', expression: "authorizer.requestResource.check('delete')" }],
    validations: [
      { expression: "authorizer.requestResource.check('get').allowed()" },
      {
        expression: "authorizer.path('/x').check('get').allowed() && variables.decision.allowed()",
        messageExpression: 'variables.decision.reason()',
      },
    ],
  };
  const { denied } = await outcomeOf({ policies: { p: spec, q: spec }, authorizer });
  expect(denied?.message).toBe(deniedBy('p', 'never'));
  expect(authorized).toHaveLength(3);
});

describe('the budget', () => {
  const list = `[${Array(40).fill('1').join(',')}]`;
  const costly = `${list}.all(a, ${list}.all(b, ${list}.all(c, a + b + c > 0)))`;
  const spent = 'validation failed due to running out of cost budget, no further validation rules will be run';

  it('limits all validations of a policy', async () => {
    const validations = Array.from({ length: 20 }, () => ({ expression: costly }));
    expect((await outcomeOf({ policies: { p: { validations } } })).denied?.message).toBe(deniedBy('p', spent));
    const { denied } = await outcomeOf({ policies: { p: { validations, failurePolicy: 'Ignore' } } });
    expect(denied).toBeUndefined();
  });

  it('limits one validation', async () => {
    const expression = `${list}.all(x, ${costly})`;
    const { denied } = await outcomeOf({ policies: { p: { validations: [{ expression }] } } });
    expect(denied?.message).toBe(
      deniedBy('p', `expression '${expression}' resulted in error: operation cancelled: actual cost limit exceeded`),
    );
  });

  it('lets other work run in between', async () => {
    const validations = Array.from({ length: 8 }, () => ({ expression: costly }));
    let turns = 0;
    const count = setInterval(() => turns++, 0);
    expect((await outcomeOf({ policies: { p: { validations } } })).denied).toBeUndefined();
    clearInterval(count);
    expect(turns).toBeGreaterThanOrEqual(4);
  });
});
