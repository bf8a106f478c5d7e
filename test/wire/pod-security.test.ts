import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const prefix = 'pod-security.kubernetes.io';
const container = { name: 'c', image: 'example.com/c:1' };
const plain = { containers: [container] };
const good = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [{ ...container, securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } }],
};
const complaints =
  'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), ' +
  'unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), ' +
  'runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), ' +
  'seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")';

const namespace = (name: string, labels: Record<string, string>): Promise<ApiResponse> =>
  api.post('/api/v1/namespaces', { metadata: { name, labels } });
const pod = (where: string, name: string, spec: object): Promise<ApiResponse> =>
  api.post(`/api/v1/namespaces/${where}/pods`, { metadata: { name }, spec });

/** Returns the texts of the warning headers. */
function warnings({ headers }: ApiResponse): string[] {
  const texts = String(headers.warning ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/g);
  return [...texts].map(([, text = '']) => text.replaceAll('\\"', '"'));
}

const template = { metadata: { labels: { a: 'b' } }, spec: plain };
const selector = { matchLabels: { a: 'b' } };

describe('a restricted namespace', () => {
  beforeAll(() => namespace('strict', { [`${prefix}/enforce`]: 'restricted' }));

  it('accepts only pods that comply, in dry runs too', async () => {
    for (const query of ['', '?dryRun=All']) {
      const path = `/api/v1/namespaces/strict/pods${query}`;
      const refused = await api.post(path, { metadata: { name: 'a' }, spec: plain });
      expect(refused.body).toMatchObject({
        code: 403,
        message: `pods "a" is forbidden: violates PodSecurity "restricted:latest": ${complaints}`,
      });
      expect(warnings(refused)).toEqual([]);
    }
    expect((await pod('strict', 'good', good)).status).toBe(200);
  });

  it.each([
    ['/apis/apps/v1', 'deployments', { selector, template }],
    ['/apis/apps/v1', 'replicasets', { selector, template }],
    ['/apis/apps/v1', 'daemonsets', { selector, template }],
    ['/apis/apps/v1', 'statefulsets', { selector, template, serviceName: 's' }],
    ['/api/v1', 'replicationcontrollers', { selector: { a: 'b' }, template }],
    ['/apis/batch/v1', 'jobs', { template: { spec: { ...plain, restartPolicy: 'Never' } } }],
    [
      '/apis/batch/v1',
      'cronjobs',
      {
        schedule: '* * * * *',
        jobTemplate: { spec: { template: { spec: { ...plain, restartPolicy: 'Never' } } } },
      },
    ],
  ])('warns of templates whose pods will be rejected: %s %s', async (root, resource, spec) => {
    const response = await api.post(`${root}/namespaces/strict/${resource}`, { metadata: { name: 'x' }, spec });
    expect(response.status).toBe(200);
    expect(warnings(response)).toEqual([`would violate PodSecurity "restricted:latest": ${complaints}`]);
  });

  it('warns of templates', async () => {
    const response = await api.post('/api/v1/namespaces/strict/podtemplates', { metadata: { name: 'x' }, template });
    expect(warnings(response)).toHaveLength(1);
  });
});

describe('a namespace that became strict', () => {
  beforeAll(async () => {
    await namespace('late', { [`${prefix}/warn`]: 'restricted' });
  });

  const label = (labels: Record<string, string>): Promise<ApiResponse> =>
    api.call('PATCH', '/api/v1/namespaces/late', {
      body: { metadata: { labels } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });

  it('has warned before', async () => {
    const responses = [await pod('late', 'b', plain), await pod('late', 'a', plain)];
    for (const response of responses) {
      expect(response.status).toBe(200);
      expect(warnings(response)).toEqual([`would violate PodSecurity "restricted:latest": ${complaints}`]);
    }
    expect(warnings(await pod('late', 'good', good))).toEqual([]);
  });

  it('tells of the pods that are there', async () => {
    expect(warnings(await label({ [`${prefix}/enforce`]: 'baseline' }))).toEqual([]);
    expect(warnings(await label({ [`${prefix}/enforce`]: 'restricted' }))).toEqual([
      'existing pods in namespace "late" violate the new PodSecurity enforce level "restricted:latest"',
      'a (and 1 other pod): allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile',
    ]);
  });

  it('keeps existing pods, until their containers change', async () => {
    const path = '/api/v1/namespaces/late/pods/a';
    const headers = { 'content-type': 'application/strategic-merge-patch+json' };
    const labelled = await api.call('PATCH', path, { body: { metadata: { labels: { x: 'y' } } }, headers });
    expect(labelled.status).toBe(200);
    const body = { spec: { containers: [{ name: 'c', image: 'example.com/c:2' }] } };
    expect((await api.call('PATCH', path, { body, headers })).status).toBe(403);
  });
});

describe('labels', () => {
  it('must have valid values', async () => {
    const response = await namespace('wrong', { [`${prefix}/enforce`]: 'x', [`${prefix}/warn-version`]: 'v2' });
    expect(response.status).toBe(422);
    expect(response.body.message).toBe(
      `Namespace "wrong" is invalid: [metadata.labels[${prefix}/enforce]: Invalid value: "x": must be one of privileged, baseline, restricted, ` +
        `metadata.labels[${prefix}/warn-version]: Invalid value: "v2": must be "latest" or "v1.x"]`,
    );
  });

  it('choose a version', async () => {
    await namespace('old', { [`${prefix}/enforce`]: 'baseline', [`${prefix}/enforce-version`]: 'v1.25' });
    const { body } = await pod('old', 'a', { ...plain, hostNetwork: true });
    expect(body.message).toBe(
      'pods "a" is forbidden: violates PodSecurity "baseline:v1.25": host namespaces (hostNetwork=true)',
    );
  });
});
