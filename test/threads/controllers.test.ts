import { inspect } from 'node:util';
import { beforeAll, expect, it, vi } from 'vitest';
import { newCertificateRequest } from '../clients/certificate-request.ts';
import type { TestApi } from '../wire/api.ts';
import { widgetDefinition } from '../wire/custom-types.ts';
import { ThreadedServer } from './threaded-server.ts';

// All controllers run, and every write of the thread that they run in is passed on like one of a large object.

const core = '/api/v1/namespaces/default';
const configMaps = `${core}/configmaps`;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const clusterRoles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const text = 'x'.repeat(20_000);
const containers = [{ name: 'c', image: 'example.com/c' }];

let threaded: ThreadedServer;
let api: TestApi;

beforeAll(async () => {
  threaded = await ThreadedServer.start({ threads: 2, controllers: ['*'] }, { largeRequestBytes: 0 });
  api = threaded.clients(1)[0]!;
  // The controllers' own writes start the thread.
  await vi.waitFor(() => expect(threaded.ready).toContain('api-large'));
  return () => threaded.stop();
});

/** The number of requests that the server has refused because it did not know who made them. */
async function unauthorized(): Promise<number> {
  const { text: metrics } = await api.get('/metrics');
  const counts = [...metrics.matchAll(/^apiserver_request_total\{[^}]*code="401"[^}]*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

async function made(path: string, body: object): Promise<{ readonly metadata: { name: string; uid: string } }> {
  const { status, body: object, text: reply } = await api.post(path, body);
  expect(status, reply).toBe(200);
  return object;
}

async function gone(path: string): Promise<void> {
  await vi.waitFor(async () => expect((await api.get(path)).status).toBe(404));
}

/** What each controller does after a user has written something. */
const work: readonly (readonly [string, () => Promise<void>])[] = [
  [
    'a definition with a large schema is established and deleted',
    async () => {
      const definition = structuredClone(widgetDefinition);
      const version = definition.spec.versions[0]!;
      Object.assign(version.schema.openAPIV3Schema, { description: text });
      await made(definitions, definition);
      const path = `${definitions}/widgets.example.com`;
      await vi.waitFor(async () => expect((await api.get('/apis/example.com/v1')).status).toBe(200));
      const widgets = '/apis/example.com/v1/namespaces/default/widgets';
      const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } };
      await vi.waitFor(async () => expect((await api.post(widgets, widget)).status).toBe(200));
      expect((await api.delete(path)).status).toBe(200);
      await gone(path);
    },
  ],
  [
    'large objects are orphaned',
    async () => {
      const { uid } = (await made(configMaps, { metadata: { name: 'owner' }, data: { text } })).metadata;
      const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
      await made(configMaps, { metadata: { name: 'dependent', ownerReferences }, data: { text } });
      expect((await api.delete(`${configMaps}/owner?propagationPolicy=Orphan`)).status).toBe(200);
      await gone(`${configMaps}/owner`);
      const { metadata } = (await api.get(`${configMaps}/dependent`)).body;
      expect(metadata.ownerReferences).toBeUndefined();
    },
  ],
  [
    'large objects are deleted in the foreground',
    async () => {
      const { uid } = (await made(configMaps, { metadata: { name: 'root' }, data: { text } })).metadata;
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'root', uid, blockOwnerDeletion: true };
      await made(configMaps, { metadata: { name: 'leaf', ownerReferences: [owner] }, data: { text } });
      expect((await api.delete(`${configMaps}/root?propagationPolicy=Foreground`)).status).toBe(200);
      await gone(`${configMaps}/root`);
      await gone(`${configMaps}/leaf`);
    },
  ],
  [
    'a namespace gets its objects and is deleted with large ones',
    async () => {
      await made('/api/v1/namespaces', { metadata: { name: 'other' } });
      const other = '/api/v1/namespaces/other';
      await vi.waitFor(async () => expect((await api.get(`${other}/serviceaccounts/default`)).status).toBe(200));
      await vi.waitFor(async () => expect((await api.get(`${other}/configmaps/kube-root-ca.crt`)).status).toBe(200));
      await made(`${other}/configmaps`, { metadata: { name: 'large' }, data: { text } });
      expect((await api.delete(other)).status).toBe(200);
      await gone(other);
    },
  ],
  [
    'the token of a service account is written',
    async () => {
      await made(`${core}/serviceaccounts`, { metadata: { name: 'builder' } });
      const annotations = { 'kubernetes.io/service-account.name': 'builder' };
      await made(`${core}/secrets`, {
        metadata: { name: 'token', annotations },
        type: 'kubernetes.io/service-account-token',
        data: { text: Buffer.from(text).toString('base64') },
      });
      await vi.waitFor(async () => expect((await api.get(`${core}/secrets/token`)).body.data.token).toBeDefined());
    },
  ],
  [
    'a role is aggregated',
    async () => {
      const labels = { part: 'yes' };
      const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
      await made(clusterRoles, { metadata: { name: 'part', labels }, rules });
      const aggregationRule = { clusterRoleSelectors: [{ matchLabels: labels }] };
      await made(clusterRoles, { metadata: { name: 'sum', annotations: { text } }, aggregationRule, rules: [] });
      await vi.waitFor(async () => expect((await api.get(`${clusterRoles}/sum`)).body.rules).toEqual(rules));
    },
  ],
  [
    'a quota is counted',
    async () => {
      await made(`${core}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { services: '3' } } });
      const status = async () => (await api.get(`${core}/resourcequotas/q`)).body.status;
      await vi.waitFor(async () => expect(await status()).toMatchObject({ used: { services: '1' } }));
    },
  ],
  [
    'a disruption budget gets its status',
    async () => {
      await made(budgets, {
        metadata: { name: 'b' },
        spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } },
      });
      const status = async () => (await api.get(`${budgets}/b`)).body.status;
      await vi.waitFor(async () => expect(await status()).toMatchObject({ observedGeneration: 1 }));
    },
  ],
  [
    'a finished job is deleted',
    async () => {
      const template = { metadata: { annotations: { text } }, spec: { containers, restartPolicy: 'Never' } };
      await made(jobs, { metadata: { name: 'j' }, spec: { ttlSecondsAfterFinished: 0, template } });
      const now = new Date().toISOString().replace(/\.\d+Z/, 'Z');
      const times = { lastTransitionTime: now, lastProbeTime: now };
      const conditions = ['FailureTarget', 'Failed'].map((type) => ({ type, status: 'True', ...times }));
      const { status, text: reply } = await api.patch(`${jobs}/j/status`, { status: { startTime: now, conditions } });
      expect(status, reply).toBe(200);
      await gone(`${jobs}/j`);
    },
  ],
  [
    'a claim is protected and released',
    async () => {
      const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
      const path = `${core}/persistentvolumeclaims`;
      await made(path, { metadata: { name: 'c', annotations: { text } }, spec });
      const { status } = await api.delete(`${path}/c`);
      expect(status).toBe(200);
      await gone(`${path}/c`);
    },
  ],
  [
    'a policy is checked',
    async () => {
      const matchConstraints = {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['endpoints'] }],
      };
      const validations = [{ expression: 'object.nothing == 1' }];
      await made(policies, { metadata: { name: 'p', annotations: { text } }, spec: { matchConstraints, validations } });
      const status = async () => (await api.get(`${policies}/p`)).body.status;
      await vi.waitFor(async () => expect(await status()).toMatchObject({ typeChecking: expect.anything() }));
    },
  ],
  [
    'a certificate is issued',
    async () => {
      const { request } = await newCertificateRequest({ subject: [{ CN: ['joe'] }] });
      const spec = { request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };
      const created = await made(requests, { metadata: { name: 'joe', annotations: { text } }, spec });
      const conditions = [{ type: 'Approved', status: 'True', reason: 'r', message: 'm' }];
      const approved = await api.put(`${requests}/joe/approval`, { ...created, status: { conditions } });
      expect(approved.status, approved.text).toBe(200);
      const status = async () => (await api.get(`${requests}/joe`)).body.status;
      await vi.waitFor(async () => expect(await status()).toMatchObject({ certificate: expect.anything() }));
    },
  ],
];

it.each(work)('%s', async (_what, run) => {
  await run();
  expect(await unauthorized()).toBe(0);
  expect(threaded.errors.filter((error) => inspect(error).includes('Unauthorized'))).toEqual([]);
  // Types that come and go are no fault either.
  expect(threaded.errors.filter((error) => inspect(error).includes('404 page not found'))).toEqual([]);
});
