import { describe, expect, it, onTestFinished } from 'vitest';
import { JsonEndpoint } from '../../client/index.ts';
import {
  failing,
  type JsonServer,
  startJsonServer,
  type TestResponse,
} from '../../client/test-json-server.conformance.ts';
import { MetricsRegistry } from '../../metrics/index.ts';
import type { Attributes, Decision, RequestedSelectors } from '../authorizer.ts';
import { WebhookAuthorizer, type WebhookAuthorizerOptions } from './webhook-authorizer.ts';
import { WebhookMetrics } from './webhook-metrics.ts';

const jane = { name: 'jane', uid: 'u-1', groups: ['dev', 'ops'], extra: { 'a/b': ['x'] } };
const pods = { group: '', version: 'v1', resource: 'pods', subresource: '', namespace: 'default', name: '' };
const listPods: Attributes = { user: jane, verb: 'list', resource: pods };
const getVersion: Attributes = { user: jane, verb: 'get', path: '/version' };

function review(status: unknown): TestResponse {
  return { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', status };
}

const yes = review({ allowed: true, reason: 'on the list' });
const no = review({ allowed: false, reason: 'not on the list' });

function authorizer(server: JsonServer, options: Partial<WebhookAuthorizerOptions> = {}): WebhookAuthorizer {
  const endpoint = new JsonEndpoint(server.access(), { firstPauseMs: 1 });
  onTestFinished(() => endpoint.close());
  return new WebhookAuthorizer({
    endpoint,
    version: 'v1',
    authorizedMs: 300_000,
    unauthorizedMs: 30_000,
    failurePolicy: 'NoOpinion',
    ...options,
  });
}

describe('the metrics of a webhook', () => {
  it.each<[what: string, response: TestResponse, options: Partial<WebhookAuthorizerOptions>, lines: readonly string[]]>(
    [
      ['an answer', yes, {}, ['webhook_evaluations_total{name="w",result="success"} 1']],
      [
        'a failure that lets others decide',
        failing(400),
        {},
        [
          'webhook_evaluations_total{name="w",result="error"} 1',
          'webhook_evaluations_fail_open_total{name="w",result="error"} 1',
        ],
      ],
      [
        'a failure that denies',
        failing(400),
        { failurePolicy: 'Deny' },
        ['webhook_evaluations_total{name="w",result="error"} 1'],
      ],
      [
        'a request that is excluded',
        yes,
        { matchConditions: ["request.user == 'john'"] },
        ['match_condition_exclusions_total{type="Webhook",name="w"} 1'],
      ],
      [
        'a condition that fails',
        yes,
        { matchConditions: ["request.extra['none'][0] == ''"] },
        ['match_condition_evaluation_errors_total{type="Webhook",name="w"} 1'],
      ],
    ],
  )('count %s', async (_, response, options, lines) => {
    const registry = new MetricsRegistry();
    const server = await startJsonServer({ responses: [response] });
    await authorizer(server, { metrics: new WebhookMetrics('w', registry), ...options }).authorize(listPods);
    const text = await registry.render({ isOpenMetrics: false });
    const found = text.split('\n').filter((line) => /^apiserver_\w+_total\{.* [^0]/.test(line));
    expect(found.toSorted()).toEqual(lines.map((line) => `apiserver_authorization_${line}`).toSorted());
    const checked = options.matchConditions === undefined ? 0 : 1;
    expect(text).toContain(
      `apiserver_authorization_match_condition_evaluation_seconds_count{type="Webhook",name="w"} ${checked}`,
    );
  });
});

describe('a WebhookAuthorizer', () => {
  const who = { user: 'jane', uid: 'u-1', groups: ['dev', 'ops'], extra: { 'a/b': ['x'] } };
  const named = {
    group: 'apps',
    version: 'v1',
    resource: 'deployments',
    subresource: 'scale',
    namespace: 'a',
    name: 'b',
  };
  const selectors: RequestedSelectors = {
    fieldSelector: [{ key: 'spec.nodeName', operator: 'In', values: ['n1'] }],
    labelSelector: [{ key: 'app', operator: 'Exists' }],
  };

  it.each<[name: string, attributes: Attributes, spec: object]>([
    [
      'a collection',
      listPods,
      { ...who, resourceAttributes: { verb: 'list', namespace: 'default', version: 'v1', resource: 'pods' } },
    ],
    [
      'a subresource',
      { user: jane, verb: 'update', resource: named },
      { ...who, resourceAttributes: { verb: 'update', ...named } },
    ],
    [
      'selectors',
      { ...listPods, selectors: () => selectors } as Attributes,
      {
        ...who,
        resourceAttributes: {
          verb: 'list',
          namespace: 'default',
          version: 'v1',
          resource: 'pods',
          fieldSelector: { requirements: selectors.fieldSelector },
          labelSelector: { requirements: selectors.labelSelector },
        },
      },
    ],
    ['a path', getVersion, { ...who, nonResourceAttributes: { verb: 'get', path: '/version' } }],
    [
      'little',
      { user: { name: 'a', uid: '', groups: [], extra: {} }, verb: 'get', path: '/' },
      { user: 'a', nonResourceAttributes: { verb: 'get', path: '/' } },
    ],
  ])('sends a review of %s', async (_name, attributes, spec) => {
    const server = await startJsonServer({ responses: [yes] });
    expect(await authorizer(server).authorize(attributes)).toEqual({ decision: 'allow', reason: 'on the list' });
    expect(server.seen[0]!.body).toEqual({
      kind: 'SubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec,
    });
  });

  it('supports v1beta1', async () => {
    const server = await startJsonServer({
      responses: [
        { apiVersion: 'authorization.k8s.io/v1beta1', kind: 'SubjectAccessReview', status: { allowed: true } },
      ],
    });
    expect(await authorizer(server, { version: 'v1beta1' }).authorize(getVersion)).toMatchObject({ decision: 'allow' });
    expect(server.seen[0]!.body).toMatchObject({
      apiVersion: 'authorization.k8s.io/v1beta1',
      spec: { user: 'jane', group: ['dev', 'ops'] },
    });
  });

  it.each<[status: unknown, expected: Decision]>([
    [{ allowed: true }, { decision: 'allow', reason: '' }],
    [
      { allowed: false, reason: 'who?' },
      { decision: 'no-opinion', reason: 'who?' },
    ],
    [
      { allowed: false, denied: true, reason: 'no!' },
      { decision: 'deny', reason: 'no!' },
    ],
    [
      { allowed: true, denied: true, reason: 'both' },
      {
        decision: 'deny',
        reason: 'both',
        error: new Error('webhook subject access review returned both allow and deny response'),
      },
    ],
    [undefined, { decision: 'no-opinion', reason: '' }],
  ])('maps the status %j to a decision', async (status, expected) => {
    const server = await startJsonServer({ responses: [review(status)] });
    expect(await authorizer(server).authorize(listPods)).toEqual(expected);
  });

  it.each<[name: string, responses: TestResponse[], problem: string]>([
    ['400', [failing(400)], 'the server answered with status 400'],
    ['500 for ever', [failing(500)], 'the server answered with status 500'],
    ['garbage', [(response) => response.end('yes')], 'the answer is not JSON'],
    ['a wrong type', [review({ allowed: 'yes' })], 'status.allowed must be true or false'],
    ['another kind', [{ kind: 'TokenReview' }], 'the response must be a SubjectAccessReview'],
  ])('applies the failure policy after %s', async (_name, responses, problem) => {
    const server = await startJsonServer({ responses });
    const error = expect.objectContaining({ message: expect.stringContaining(problem) });
    for (const [failurePolicy, decision] of [
      ['NoOpinion', 'no-opinion'],
      ['Deny', 'deny'],
    ] as const) {
      const webhook = authorizer(server, { failurePolicy });
      expect(await webhook.authorize(listPods)).toEqual({ decision, reason: '', error });
    }
  });

  it('retries after a failure', async () => {
    const server = await startJsonServer({ responses: [failing(503), yes] });
    expect(await authorizer(server).authorize(listPods)).toMatchObject({ decision: 'allow' });
  });

  it('cannot list rules', () => {
    const endpoint = { post: async () => ({}), address: '' };
    const options = { version: 'v1', authorizedMs: 0, unauthorizedMs: 0, failurePolicy: 'NoOpinion' } as const;
    expect(new WebhookAuthorizer({ endpoint, ...options }).rulesFor(jane, 'a')).toEqual({
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: 'webhook authorizer does not support user rule resolution',
    });
  });
});

describe('the decision cache', () => {
  it('keeps an allow for authorizedMs and anything else for unauthorizedMs', async () => {
    let time = 0;
    const server = await startJsonServer({ responses: [yes, no, no, yes] });
    const webhook = authorizer(server, { now: () => time });
    const allowed = await webhook.authorize(listPods);
    await webhook.authorize(getVersion);
    time = 29_999;
    expect(webhook.authorize(getVersion)).toEqual({ decision: 'no-opinion', reason: 'not on the list' });
    expect(server.seen).toHaveLength(2);
    time = 30_000;
    await webhook.authorize(getVersion);
    expect(server.seen).toHaveLength(3);
    time = 299_999;
    expect(webhook.authorize(listPods)).toBe(allowed);
    time = 300_000;
    await webhook.authorize(listPods);
    expect(server.seen).toHaveLength(4);
  });

  it('is keyed by user and attributes', async () => {
    const server = await startJsonServer({ responses: [yes] });
    const webhook = authorizer(server);
    const resource = (more: object): Attributes => ({ user: jane, verb: 'get', resource: { ...pods, ...more } });
    const different: Attributes[] = [
      resource({}),
      resource({ name: 'a' }),
      resource({ namespace: 'a' }),
      resource({ subresource: 'a' }),
      resource({ group: 'a' }),
      resource({ version: 'a' }),
      { ...resource({}), verb: 'list' } as Attributes,
      { ...resource({}), selectors: () => ({ labelSelector: [{ key: 'a', operator: 'Exists' }] }) } as Attributes,
      { ...resource({}), selectors: () => ({ fieldSelector: [{ key: 'a', operator: 'Exists' }] }) } as Attributes,
      ...[{ name: 'joe' }, { uid: 'u-2' }, { groups: ['dev'] }, { groups: ['dev,ops'] }, { extra: {} }].map(
        (more): Attributes => ({ ...resource({}), user: { ...jane, ...more } }) as Attributes,
      ),
      { user: jane, verb: 'get', path: '/' },
      { user: jane, verb: 'get', path: '/a' },
    ];
    for (const attributes of [...different, ...different]) await webhook.authorize(attributes);
    expect(server.seen).toHaveLength(different.length);
    // The same attributes in other objects.
    await webhook.authorize({ user: { ...jane }, verb: 'get', path: '/' });
    expect(server.seen).toHaveLength(different.length);
  });

  it('does not keep failures, decisions with very long keys, or anything with a TTL of 0', async () => {
    const server = await startJsonServer({ responses: [failing(400), yes] });
    const webhook = authorizer(server);
    await webhook.authorize(listPods);
    expect(await webhook.authorize(listPods)).toMatchObject({ decision: 'allow' });
    expect(server.seen).toHaveLength(2);
    const long: Attributes = { user: jane, verb: 'get', path: `/${'a'.repeat(10_000)}` };
    await webhook.authorize(long);
    await webhook.authorize(long);
    expect(server.seen).toHaveLength(4);
    const forgetful = authorizer(server, { authorizedMs: 0 });
    await forgetful.authorize(listPods);
    await forgetful.authorize(listPods);
    expect(server.seen).toHaveLength(6);
  });

  it('shares one request between concurrent lookups', async () => {
    const server = await startJsonServer({ responses: [yes] });
    const webhook = authorizer(server);
    await Promise.all([1, 2, 3].map(() => webhook.authorize(listPods)));
    expect(server.seen).toHaveLength(1);
  });
});

describe('match conditions', () => {
  it.each<[conditions: string[], attributes: Attributes, isReviewed: boolean]>([
    [["request.user == 'jane'"], listPods, true],
    [["request.user != 'jane'"], listPods, false],
    [["'ops' in request.groups", "request.uid == 'u-1'"], listPods, true],
    [["'ops' in request.groups", "request.uid == 'u-2'"], listPods, false],
    [["request.extra['a/b'] == ['x']"], listPods, true],
    [['has(request.resourceAttributes)'], listPods, true],
    [['has(request.resourceAttributes)'], getVersion, false],
    [["has(request.resourceAttributes) && request.resourceAttributes.namespace == 'default'"], listPods, true],
    [["request.resourceAttributes.name == ''"], listPods, true],
    [["!has(request.resourceAttributes) && request.nonResourceAttributes.path.startsWith('/v')"], getVersion, true],
    [['has(request.resourceAttributes.labelSelector)'], listPods, false],
    [
      [
        "has(request.resourceAttributes.labelSelector) && request.resourceAttributes.labelSelector.requirements.exists(r, r.key == 'app')",
      ],
      { ...listPods, selectors: () => ({ labelSelector: [{ key: 'app', operator: 'Exists' }] }) } as Attributes,
      true,
    ],
    // One false condition is enough, even if the others fail.
    [["request.resourceAttributes.name == 'x'", "request.user == 'joe'"], getVersion, false],
  ])('%j', async (matchConditions, attributes, isReviewed) => {
    const server = await startJsonServer({ responses: [yes] });
    const decision = await authorizer(server, { matchConditions }).authorize(attributes);
    expect(decision.error).toBeUndefined();
    expect(decision.decision).toBe(isReviewed ? 'allow' : 'no-opinion');
    expect(server.seen).toHaveLength(isReviewed ? 1 : 0);
  });

  it('apply the failure policy when they cannot be evaluated', async () => {
    const server = await startJsonServer({ responses: [yes] });
    const matchConditions = ["request.resourceAttributes.namespace == 'a'"];
    const error = expect.objectContaining({
      message: expect.stringMatching(
        /^cel evaluation error: expression 'request\.resourceAttributes\.namespace == 'a'' resulted in error: no such key: resourceAttributes/,
      ),
    });
    for (const [failurePolicy, decision] of [
      ['NoOpinion', 'no-opinion'],
      ['Deny', 'deny'],
    ] as const) {
      const webhook = authorizer(server, { failurePolicy, matchConditions });
      expect(await webhook.authorize(getVersion)).toEqual({ decision, reason: '', error });
    }
    expect(server.seen).toHaveLength(0);
  });
});
