import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { configureWebhooks, type WebhookKind } from './webhook-configurations.ts';
import { WebhookServer } from './webhook-server.ts';

let api: TestApi;
let server: WebhookServer;
let other: WebhookServer;
let path: string;
let closedPort: number;

beforeAll(async () => {
  [api, server, other] = await Promise.all([TestApi.start(), WebhookServer.start(), WebhookServer.start()]);
  path = await api.configMaps('failures');
  closedPort = await unusedPort();
});

afterAll(() => Promise.all([api.stop(), server.stop(), other.stop()]));

async function unusedPort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

interface Failure {
  readonly clientConfig: () => object;
  /** The text after the name of the webhook. `URL` stands for its address. */
  readonly problem: string;
  readonly timeoutSeconds?: number;
}

const typeMeta = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
const received = 'received invalid webhook response: ';
const called = 'failed to call webhook: ';
const review = (response: unknown, type = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' }) =>
  server.clientConfigFor('review', { review: { ...type, response } as object });
const raw = (status: number, body: string) => () => server.clientConfigFor('raw', { status, headers: {}, body });

const failures: Readonly<Record<string, Failure>> = {
  refused: {
    clientConfig: () => ({ url: `https://127.0.0.1:${closedPort}/x` }),
    problem: `${called}Post "URL": dial tcp 127.0.0.1:PORT: connect: connection refused`,
  },
  reset: {
    clientConfig: () => server.clientConfigFor('reset'),
    problem: `${called}Post "URL": read: connection reset by peer`,
  },
  slow: {
    clientConfig: () => server.clientConfigFor('silent'),
    problem: `${called}Post "URL": context deadline exceeded`,
    timeoutSeconds: 1,
  },
  'a wrong certificate': {
    clientConfig: () => ({ ...server.clientConfigFor('respond'), caBundle: other.caBundle }),
    problem: `${called}Post "URL": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
  },
  'status 500': {
    clientConfig: raw(500, 'boom'),
    problem: `${called}an error on the server ("boom") has prevented the request from succeeding`,
  },
  'status 300': {
    clientConfig: raw(300, ''),
    problem: `${called}the server responded with the status code 300 but did not return more information`,
  },
  'no JSON': {
    clientConfig: raw(200, 'hello'),
    problem: `${called}couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type ${typeMeta}`,
  },
  '10 MB': {
    clientConfig: () => server.clientConfigFor('large'),
    problem: `${called}Post "URL": the response is larger than 6291456 bytes`,
  },
  'a wrong uid': {
    clientConfig: () => server.clientConfigFor('respond', { uid: 'zzz' }),
    problem: `${received}expected response.uid="UID", got "zzz"`,
  },
  'no response': { clientConfig: () => review(undefined), problem: `${received}webhook response was absent` },
  'no type': {
    clientConfig: () => review({ uid: 'UID', allowed: true }, {} as never),
    problem: `${received}expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=`,
  },
  'another version': {
    clientConfig: () =>
      review({ uid: 'UID', allowed: true }, { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1beta1' }),
    problem: `${called}converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion`,
  },
  'a verdict that is no boolean': {
    clientConfig: () => review({ uid: 'UID', allowed: 'yes' }),
    problem: `${called}json: cannot unmarshal string into Go struct field AdmissionReview.response.allowed of type bool`,
  },
  'a patch type without a patch': {
    clientConfig: () => review({ uid: 'UID', allowed: true, patchType: 'JSONPatch' }),
    problem: `${received}PATCHTYPE`,
  },
};

const kinds: readonly WebhookKind[] = ['mutating', 'validating'];
const cases = kinds.flatMap((kind) => Object.entries(failures).map(([name, failure]) => ({ kind, name, failure })));

function expected({ kind, failure }: (typeof cases)[number], clientConfig: { url?: string }): string {
  const { problem, timeoutSeconds = 10 } = failure;
  const patchType =
    kind === 'mutating'
      ? 'webhook returned response.patchType but not response.patch'
      : 'validating webhook may not return response.patchType';
  return `failed calling webhook "0.hook.example": ${problem}`
    .replace('URL', `${clientConfig.url}?timeout=${timeoutSeconds}s`)
    .replace('PORT', String(closedPort))
    .replace('PATCHTYPE', patchType);
}

describe.each(cases)('a $kind webhook with $name', (testCase) => {
  const { kind, failure } = testCase;
  const { timeoutSeconds = 10 } = failure;
  const name = `${kind}-${Object.values(failures).indexOf(failure)}`;

  it('fails the request', async () => {
    const clientConfig = failure.clientConfig();
    await configureWebhooks(api, kind, { webhooks: [{ clientConfig, timeoutSeconds }], namespace: 'failures' });
    const { status, body } = await api.post(path, { metadata: { name } });
    const detail = expected(testCase, clientConfig);
    expect(status).toBe(500);
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: expect.any(String),
      reason: 'InternalError',
      details: { causes: [{ message: expect.any(String) }] },
      code: 500,
    });
    const withoutUid = (text: string): string => text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'UID');
    expect(withoutUid(body.message)).toBe(`Internal error occurred: ${detail}`);
    expect(withoutUid(body.details.causes[0].message)).toBe(detail);
    expect((await api.get(`${path}/${name}`)).status).toBe(404);
  });

  it('is left out when its failures are ignored', async () => {
    const webhook = { clientConfig: failure.clientConfig(), timeoutSeconds, failurePolicy: 'Ignore' };
    await configureWebhooks(api, kind, { webhooks: [webhook], namespace: 'failures' });
    expect((await api.post(path, { metadata: { name } })).status).toBe(200);
    expect((await api.get(`${path}/${name}`)).status).toBe(200);
  });
});

describe.each(['Fail', 'Ignore'])('a patch of a webhook whose failure policy is %s', (failurePolicy) => {
  it.each<[name: string, patch: object[], problem: string]>([
    [
      'does not apply',
      [{ op: 'remove', path: '/nothing' }],
      "error in remove for path: '/nothing': Unable to remove nonexistent key: nothing: missing value",
    ],
    ['fails a test', [{ op: 'test', path: '/kind', value: 'Pod' }], 'testing value /kind failed: test failed'],
    [
      'makes another kind',
      [{ op: 'replace', path: '/kind', value: 'Pod' }],
      'no kind "Pod" is registered for version "v1"',
    ],
    [
      'makes a wrong type',
      [{ op: 'add', path: '/data', value: [] }],
      expect.stringContaining('json: cannot unmarshal array into Go struct field ConfigMap.data'),
    ],
    ['is no operation', [7 as never], 'json: cannot unmarshal number into Go value of type jsonpatch.Operation'],
  ])('a patch that %s is an error', async (_name, patch, problem) => {
    const webhook = { clientConfig: server.clientConfigFor('respond', { patch }), failurePolicy };
    await configureWebhooks(api, 'mutating', { webhooks: [webhook], namespace: 'failures' });
    const { status, body } = await api.post(path, { metadata: { name: 'patched' } });
    expect([status, body.reason]).toEqual([500, 'InternalError']);
    expect(body.details.causes[0].message).toEqual(problem);
  });

  it.each<[name: string, response: object, code: number, rest: object]>([
    ['nothing', {}, 400, { message: 'without explanation' }],
    ['a message', { code: 418, message: 'because', reason: 'Teapot' }, 418, { message: 'because', reason: 'Teapot' }],
    ['a reason', { reason: 'NoWay' }, 400, { message: 'NoWay', reason: 'NoWay' }],
    ['a code of success', { code: 200, message: 'odd' }, 400, { message: 'odd' }],
    ['a code that HTTP does not have', { code: 70_000, message: 'odd' }, 400, { message: 'odd' }],
    [
      'causes',
      {
        code: 422,
        message: 'bad',
        reason: 'Invalid',
        details: { causes: [{ reason: 'R', message: 'm', field: 'a' }] },
      },
      422,
      { message: 'bad', reason: 'Invalid', details: { causes: [{ reason: 'R', message: 'm', field: 'a' }] } },
    ],
  ])('a rejection with %s is final', async (_name, status, code, { message, ...rest }: { message?: string }) => {
    for (const kind of kinds) {
      const webhook = { clientConfig: server.clientConfigFor('respond', { allowed: false, status }), failurePolicy };
      await configureWebhooks(api, kind, { webhooks: [webhook], namespace: 'failures', name: `denied-${kind}` });
      const response = await api.post(path, { metadata: { name: 'denied' } });
      const separator = message === 'without explanation' ? ' ' : ': ';
      expect(response.status).toBe(code);
      expect(response.body).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: `admission webhook "0.hook.example" denied the request${separator}${message}`,
        code,
        ...rest,
      });
      await api.delete(`/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations/denied-${kind}`);
    }
  });
});
