import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newCertificateRequest } from '../clients/certificate-request.ts';
import { TestApi } from './api.ts';
import { configureWebhooks } from './webhook-configurations.ts';
import { type SeenReview, WebhookServer } from './webhook-server.ts';

let api: TestApi;
let server: WebhookServer;
const namespace = 'reviews';
const core = `/api/v1/namespaces/${namespace}`;
const everything = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }];

beforeAll(async () => {
  [api, server] = await Promise.all([TestApi.start(), WebhookServer.start()]);
  await api.configMaps(namespace, { kept: {}, gone1: { all: 'x' }, gone2: { all: 'x' } });
  await api.post(`${core}/serviceaccounts`, { metadata: { name: 'sa' } });
  await api.post(`${core}/pods`, pod('p'));
  await api.post('/apis/apps/v1/namespaces/reviews/deployments', deployment);
  await api.post('/api/v1/namespaces', { metadata: { name: 'finalized' }, spec: { finalizers: ['example.com/x'] } });
  const { request } = await newCertificateRequest({ subject: 'CN=jane' });
  await api.post('/apis/certificates.k8s.io/v1/certificatesigningrequests', {
    metadata: { name: 'r' },
    spec: { request, signerName: 'example.com/x', usages: ['client auth'] },
  });
});

afterAll(() => Promise.all([api.stop(), server.stop()]));

const pod = (name: string) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], automountServiceAccountToken: false },
});
const deployment = {
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};
async function reviewsOf(write: () => Promise<unknown>): Promise<SeenReview[]> {
  await server.take();
  await configureWebhooks(api, 'validating', {
    webhooks: [{ clientConfig: server.clientConfigFor('respond'), rules: everything }],
  });
  await write();
  return server.take();
}

/** `operation resource[/subresource] Kind name`. */
const summary = ({ review: { request } }: SeenReview): string => {
  const { resource, subResource, kind, operation, name = '' } = request;
  return `${operation} ${resource.resource}${subResource === undefined ? '' : `/${subResource}`} ${kind.kind} ${name}`.trim();
};

describe('a webhook gets', () => {
  it('the review that kube-apiserver sends, with its fields in order', async () => {
    const [{ text, headers, query }] = (await reviewsOf(() =>
      api.post(`${core}/configmaps?dryRun=All&fieldManager=me`, { metadata: { name: 'n' }, data: { a: '<&>' } }),
    )) as [SeenReview];
    expect(query).toBe('?timeout=10s');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json, */*',
      'user-agent': 'kube-apiserver-admission',
    });
    const shown = text
      .replace(/"(uid)":"[0-9a-f-]{36}"/g, '"$1":"U"')
      .replace(/"(creationTimestamp|time)":"[^"]*"/g, '"$1":"T"')
      .replace(/X509SHA256=[0-9a-f]+/, 'X509');
    const type = '{"group":"","version":"v1","kind":"ConfigMap"}';
    const resource = '{"group":"","version":"v1","resource":"configmaps"}';
    const user =
      '{"username":"kubernetes-admin","groups":["system:masters","system:authenticated"],' +
      '"extra":{"authentication.kubernetes.io/credential-id":["X509"]}}';
    const managed =
      '[{"manager":"me","operation":"Update","apiVersion":"v1","time":"T","fieldsType":"FieldsV1",' +
      '"fieldsV1":{"f:data":{".":{},"f:a":{}}}}]';
    const object =
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"n","namespace":"reviews","uid":"U","creationTimestamp":"T",' +
      `"managedFields":${managed}},"data":{"a":"\\u003c\\u0026\\u003e"}}`;
    expect(shown).toBe(
      `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"U","kind":${type},` +
        `"resource":${resource},"requestKind":${type},"requestResource":${resource},"name":"n","namespace":"reviews",` +
        `"operation":"CREATE","userInfo":${user},"object":${object},"oldObject":null,"dryRun":true,` +
        '"options":{"kind":"CreateOptions","apiVersion":"meta.k8s.io/v1","dryRun":["All"],"fieldManager":"me"}}}',
    );
  });

  it.each<[name: string, write: () => Promise<unknown>, seen: string[]]>([
    [
      'an update',
      () => api.patch(`${core}/configmaps/kept`, { data: { a: 'b' } }),
      ['UPDATE configmaps ConfigMap kept'],
    ],
    [
      'a deletion of a collection, which names no object',
      () => api.delete(`${core}/configmaps?labelSelector=all`),
      ['DELETE configmaps ConfigMap', 'DELETE configmaps ConfigMap'],
    ],
    [
      'a scale',
      () => api.patch('/apis/apps/v1/namespaces/reviews/deployments/d/scale', { spec: { replicas: 2 } }),
      ['UPDATE deployments/scale Scale d'],
    ],
    [
      'a status',
      () => api.patch('/apis/apps/v1/namespaces/reviews/deployments/d/status', { status: { replicas: 1 } }),
      ['UPDATE deployments/status Deployment d'],
    ],
    [
      'a binding',
      () => api.post(`${core}/pods/p/binding`, { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } }),
      ['CREATE pods/binding Binding p'],
    ],
    [
      'an eviction',
      () =>
        api.post(`${core}/pods/p/eviction?dryRun=All`, {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: { name: 'p' },
        }),
      ['CREATE pods/eviction Eviction p'],
    ],
    [
      'a token',
      () => api.post(`${core}/serviceaccounts/sa/token`, { spec: {} }),
      ['CREATE serviceaccounts/token TokenRequest sa'],
    ],
    [
      'a finalization',
      () => api.put('/api/v1/namespaces/finalized/finalize', { metadata: { name: 'finalized' }, spec: {} }),
      ['UPDATE namespaces/finalize Namespace finalized'],
    ],
    [
      'an approval',
      () =>
        api.patch('/apis/certificates.k8s.io/v1/certificatesigningrequests/r/approval', {
          status: { conditions: [{ type: 'Denied', status: 'True' }] },
        }),
      ['UPDATE certificatesigningrequests/approval CertificateSigningRequest r'],
    ],
    [
      'an access review',
      () =>
        api.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
          spec: { nonResourceAttributes: { path: '/', verb: 'get' } },
        }),
      ['CREATE selfsubjectaccessreviews SelfSubjectAccessReview'],
    ],
    ['no read', () => api.get(`${core}/configmaps`), []],
    [
      'no configuration of webhooks',
      () =>
        api.post('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations?dryRun=All', {
          metadata: { name: 'x' },
        }),
      [],
    ],
  ])('%s', async (_name, write, seen) => {
    expect((await reviewsOf(write)).map(summary).sort()).toEqual(seen);
  });

  it('the options of a CONNECT without metadata', async () => {
    const [call] = await reviewsOf(() => api.post(`${core}/pods/p/exec?command=ls&stdout=true`, undefined));
    expect(call!.review.request).toMatchObject({ operation: 'CONNECT', name: 'p', subResource: 'exec' });
    expect(call!.review.request.object).toEqual({
      kind: 'PodExecOptions',
      apiVersion: 'v1',
      stdout: true,
      command: ['ls'],
    });
  });

  it('null instead of a deleted object', async () => {
    const [call] = await reviewsOf(() => api.delete(`${core}/configmaps/kept?dryRun=All&propagationPolicy=Background`));
    expect(call!.review.request).toMatchObject({
      object: null,
      oldObject: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'kept' } },
      options: { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1', propagationPolicy: 'Background' },
    });
  });
});

describe('a webhook that asks for another version', () => {
  const rule = (group: string, version: string, resource: string) => [
    { apiGroups: [group], apiVersions: [version], operations: ['CREATE'], resources: [resource] },
  ];
  const autoscaler = {
    metadata: { name: 'h' },
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      targetCPUUtilizationPercentage: 50,
    },
  };
  const path = '/apis/autoscaling/v1/namespaces/reviews/horizontalpodautoscalers?dryRun=All';

  it('gets and patches the object in it', async () => {
    await server.take();
    const patch = [{ op: 'replace', path: '/spec/metrics/0/resource/target/averageUtilization', value: 70 }];
    await configureWebhooks(api, 'mutating', {
      webhooks: [
        {
          clientConfig: server.clientConfigFor('respond', { patch }),
          rules: rule('autoscaling', 'v2', 'horizontalpodautoscalers'),
        },
      ],
    });
    const { body } = await api.post(path, autoscaler);
    expect(body).toMatchObject({ apiVersion: 'autoscaling/v1', spec: { targetCPUUtilizationPercentage: 70 } });
    const [call] = await server.take();
    expect(call!.review.request).toMatchObject({
      kind: { group: 'autoscaling', version: 'v2' },
      resource: { version: 'v2' },
      requestKind: { version: 'v1' },
      requestResource: { version: 'v1' },
      object: { apiVersion: 'autoscaling/v2', spec: { metrics: [{ type: 'Resource' }] } },
    });
  });

  it('gets events of the other group', async () => {
    await server.take();
    await configureWebhooks(api, 'validating', {
      webhooks: [{ clientConfig: server.clientConfigFor('respond'), rules: rule('events.k8s.io', 'v1', 'events') }],
    });
    await api.post(`${core}/events?dryRun=All`, {
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', name: 'p', namespace },
      message: 'm',
      reason: 'R',
      type: 'Normal',
    });
    const [call] = await server.take();
    expect(call!.review.request).toMatchObject({
      kind: { group: 'events.k8s.io', version: 'v1', kind: 'Event' },
      requestKind: { group: '', version: 'v1', kind: 'Event' },
      object: { apiVersion: 'events.k8s.io/v1', note: 'm' },
    });
  });

  it('is not called when it wants exactly that', async () => {
    await server.take();
    await configureWebhooks(api, 'validating', {
      webhooks: [
        {
          clientConfig: server.clientConfigFor('respond'),
          rules: rule('autoscaling', 'v2', 'horizontalpodautoscalers'),
          matchPolicy: 'Exact',
        },
      ],
    });
    await api.post(path, autoscaler);
    expect(await server.take()).toEqual([]);
  });

  it('gets reviews of that version, and may omit type and uid in v1beta1', async () => {
    await server.take();
    const review = {
      response: {
        allowed: true,
        patch: Buffer.from('[{"op":"add","path":"/data","value":{"a":"b"}}]').toString('base64'),
      },
    };
    await configureWebhooks(api, 'mutating', {
      webhooks: [
        {
          clientConfig: server.clientConfigFor('review', { review }),
          admissionReviewVersions: ['v7', 'v1beta1', 'v1'],
        },
      ],
      namespace,
    });
    const { body } = await api.post(`${core}/configmaps?dryRun=All`, { metadata: { name: 'beta' } });
    expect(body.data).toEqual({ a: 'b' });
    expect((await server.take())[0]!.review.apiVersion).toBe('admission.k8s.io/v1beta1');
  });
});
