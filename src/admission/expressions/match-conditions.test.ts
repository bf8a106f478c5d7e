import { describe, expect, it } from 'vitest';
import type { AdmissionRequest } from '../admission-request.ts';
import { compileConditions, evaluateConditions } from './match-conditions.ts';
import { testAuthorizer, testInput } from './test-input.conformance.ts';

const object = { metadata: { name: 'a', labels: { app: 'web' } } };
const costly = "[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, 'x'.matches('x') && a > 0 && b > 0))";

function conditions(...expressions: string[]) {
  return compileConditions(expressions.map((expression, index) => ({ name: `c${index}`, expression })));
}

describe('match conditions', () => {
  it.each<[expressions: string[], result: object]>([
    [[], { matches: true }],
    [['true', "object.metadata.name == 'a'"], { matches: true }],
    [[' true '], { matches: true }],
    [['true', "request.operation == 'UPDATE'"], { matches: false, by: 'c1' }],
    [['object.nothing == 1'], { error: "expression 'object.nothing == 1' resulted in error: no such key: nothing" }],
    [['object.nothing == 1', 'false'], { matches: false, by: 'c1' }],
    [
      ['object.a == 1', 'object.b == 1', 'object.a == 1'],
      {
        error:
          "[expression 'object.a == 1' resulted in error: no such key: a, " +
          "expression 'object.b == 1' resulted in error: no such key: b]",
      },
    ],
    [['object.'], { error: expect.stringContaining('compilation error: compilation failed: ERROR: <input>:1:8') }],
    [['1'], { error: 'compilation error: must evaluate to bool but got int' }],
    [['params == null'], { error: expect.stringContaining("undeclared reference to 'params'") }],
    [['variables.a == 1'], { error: expect.stringContaining("undeclared reference to 'variables'") }],
    [['oldObject == null && namespaceObject == null'], { matches: true }],
  ])('%j', async (expressions, result) => {
    expect(await evaluateConditions(conditions(...expressions), await testInput({ object }))).toEqual(result);
  });

  it('are limited by a budget', async () => {
    const nested = `[${Array.from({ length: 40 }, () => 1).join(',')}].all(x, ${costly})`;
    const input = await testInput({ object });
    expect(await evaluateConditions(conditions(nested), input)).toEqual({ matches: true });
    expect(await evaluateConditions(conditions(...Array(100).fill(nested)), input)).toEqual({
      error: 'validation failed due to running out of cost budget, no further validation rules will be run',
    });
  });
});

describe('the variables', () => {
  const full: Partial<Omit<AdmissionRequest, 'target'>> = {
    object,
    oldObject: { metadata: { name: 'b' } },
    operation: 'UPDATE',
    options: { fieldManager: 'me' },
    dryRun: true,
    user: { name: 'jane', uid: '7', groups: ['g'], extra: { k: ['v'] } },
  };
  it.each<[expression: string, request: Partial<Omit<AdmissionRequest, 'target'>>]>([
    ["object.metadata.labels['app'] == 'web' && oldObject.metadata.name == 'b'", full],
    ["request.kind.kind == 'Pod' && request.requestKind.version == 'v1' && request.resource.resource == 'pods'", full],
    ["!has(request.subResource) && !has(request.requestSubResource) && request.namespace == 'ns'", full],
    ["request.userInfo.username == 'jane' && request.userInfo.uid == '7' && request.userInfo.groups == ['g']", full],
    ["request.userInfo.extra['k'] == ['v'] && request.dryRun && request.name == 'a'", full],
    ["request.options.kind == 'UpdateOptions' && request.options.fieldManager == 'me'", full],
    [
      "request.options.kind == 'DeleteOptions' && object == null && oldObject != null",
      { ...full, operation: 'DELETE' },
    ],
    ['request.options == null && has(object.metadata)', { ...full, operation: 'CONNECT' }],
    ['!has(request.name) && !has(request.namespace)', { name: '', namespace: '' }],
  ])('%s', async (expression, request) => {
    expect(await evaluateConditions(conditions(expression), await testInput(request))).toEqual({ matches: true });
  });
});

describe('authorizer', () => {
  const mayOnly = (verb: string, later = false) =>
    testAuthorizer(async (attributes) => {
      if (later) await Promise.resolve();
      return attributes.verb === verb
        ? { decision: 'allow', reason: 'by role' }
        : { decision: 'no-opinion', reason: '' };
    });

  it.each([
    ["authorizer.group('apps').resource('deployments').check('get').allowed()", true],
    [
      "authorizer.group('').resource('pods').subresource('log').namespace('ns').name('a').check('list').allowed()",
      false,
    ],
    ["authorizer.requestResource.check('get').reason() == 'by role'", true],
    ["authorizer.path('/healthz').check('get').allowed()", true],
    ["authorizer.serviceAccount('ns', 'robot').group('').resource('pods').check('get').allowed()", true],
    [
      "authorizer.requestResource.check('get').errored() || authorizer.requestResource.check('get').error() != ''",
      false,
    ],
  ])('%s: %s', async (expression, matches) => {
    const { authorizer } = mayOnly('get');
    const result = await evaluateConditions(conditions(expression), await testInput({}, authorizer));
    expect(result).toEqual(matches ? { matches } : { matches, by: 'c0' });
  });

  it('is asked once per question, also when the answer takes time', async () => {
    const { authorizer, authorized } = mayOnly('get', true);
    const check =
      "authorizer.requestResource.fieldSelector('spec.nodeName=n').labelSelector('a=b').check('get').allowed()";
    const path = "!authorizer.path('/x').check('post').allowed()";
    const result = await evaluateConditions(conditions(check, path, check), await testInput({}, authorizer));
    expect(result).toEqual({ matches: true });
    expect(authorized).toMatchObject([
      { verb: 'get', resource: { group: '', version: '*', resource: 'pods', namespace: 'ns', name: 'a' } },
      { verb: 'post', path: '/x' },
    ]);
    expect(authorized[0]!.path === undefined && authorized[0]!.selectors?.()).toEqual({
      fieldSelector: [{ key: 'spec.nodeName', operator: 'In', values: ['n'] }],
      labelSelector: [{ key: 'a', operator: 'In', values: ['b'] }],
    });
  });

  it('knows service accounts by name and groups', async () => {
    const { authorizer, authorized } = mayOnly('get');
    const check = "authorizer.serviceAccount('ns', 'robot').path('/x').check('get').allowed()";
    await evaluateConditions(conditions(check), await testInput({}, authorizer));
    expect(authorized[0]!.user).toEqual({
      name: 'system:serviceaccount:ns:robot',
      uid: '',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:ns'],
      extra: {},
    });
  });

  it.each([
    ["authorizer.path(' ').check('get').allowed()", 'path must not be empty'],
    ["authorizer.group('').resource('').check('get').allowed()", 'resource must not be empty'],
    ["authorizer.serviceAccount('ns', 'A!').path('/x').check('get').allowed()", 'Invalid service account name'],
    ["authorizer.serviceAccount('n.s', 'a').path('/x').check('get').allowed()", 'Invalid service account namespace'],
    [
      [1, 2, 3].map((name) => `authorizer.path('/${name}').check('get').allowed()`).join(' && '),
      'operation cancelled: actual cost limit exceeded',
    ],
  ])('%s fails: %s', async (expression, message) => {
    const result = await evaluateConditions(conditions(expression), await testInput({}, mayOnly('get').authorizer));
    expect(result).toEqual({ error: `expression '${expression}' resulted in error: ${message}` });
  });
});
