import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';

const container = { name: 'c', image: 'example.com/c:1' };
const pods = (namespace: string): string => `/api/v1/namespaces/${namespace}/pods`;
const pod = (name: string, spec: object = {}) => ({ metadata: { name }, spec: { containers: [container], ...spec } });

describe('a server that has the controllers of a cluster', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await TestApi.start({ controllers: ['*'], disableAdmissionPlugins: [] });
  });
  afterAll(() => api.stop());

  it('a namespace comes with its account and the CA', async () => {
    for (const path of ['?fieldManager=m', '/applied?fieldManager=m']) {
      const isApply = path.startsWith('/');
      const name = isApply ? 'applied' : 'fresh';
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
      const headers = { 'content-type': 'application/apply-patch+yaml' };
      const created = isApply
        ? await api.call('PATCH', `/api/v1/namespaces${path}`, { body, headers })
        : await api.post(`/api/v1/namespaces${path}`, body);
      expect(created.status).toBeLessThan(300);
      const account = await api.get(`/api/v1/namespaces/${name}/serviceaccounts/default`);
      expect(account.body.metadata).toMatchObject({ name: 'default', namespace: name });
      const bundle = await api.get(`/api/v1/namespaces/${name}/configmaps/kube-root-ca.crt`);
      expect(bundle.body.data['ca.crt']).toContain('BEGIN CERTIFICATE');
    }
  });

  it('a dry run makes nothing', async () => {
    await api.post('/api/v1/namespaces?dryRun=All', { metadata: { name: 'imagined' } });
    expect((await api.get('/api/v1/namespaces/imagined/serviceaccounts')).body.items).toEqual([]);
  });

  it('a pod in a new namespace gets a token, stored where a client would have written it', async () => {
    await api.post('/api/v1/namespaces', { metadata: { name: 'team' } });
    const { status, body } = await api.post(pods('team'), pod('p'));
    expect(status).toBe(200);
    expect(body.spec).toMatchObject({ serviceAccountName: 'default', serviceAccount: 'default' });
    const [{ name }] = body.spec.volumes;
    expect(body.spec.containers[0].volumeMounts).toEqual([
      { name, readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
    ]);
    expect(Object.keys(body.spec).slice(0, 2)).toEqual(['volumes', 'containers']);
    expect(Object.keys(body.spec.containers[0])).toEqual([
      'name',
      'image',
      'resources',
      'volumeMounts',
      'terminationMessagePath',
      'terminationMessagePolicy',
      'imagePullPolicy',
    ]);
    // The plugin owns no fields, so the creator of the pod can apply it without conflicts.
    expect(JSON.stringify(body.metadata.managedFields)).not.toContain('f:volumes');
    const token = await api.post('/api/v1/namespaces/team/serviceaccounts/default/token', {
      spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p', uid: body.metadata.uid } },
    });
    expect(token.status).toBe(200);
  });

  it('a pod with an account that does not exist is refused', async () => {
    const { body } = await api.post(pods('default'), pod('p', { serviceAccountName: 'none' }));
    expect(body).toMatchObject({
      code: 403,
      message: 'pods "p" is forbidden: error looking up service account default/none: serviceaccount "none" not found',
    });
  });

  it('the account determines tokens and pull secrets', async () => {
    const account = {
      metadata: { name: 'own' },
      imagePullSecrets: [{ name: 'x' }],
      automountServiceAccountToken: false,
    };
    await api.post('/api/v1/namespaces/default/serviceaccounts', account);
    const { body } = await api.post(pods('default'), pod('p', { serviceAccountName: 'own' }));
    expect(body.spec).toMatchObject({ serviceAccountName: 'own', imagePullSecrets: [{ name: 'x' }] });
    expect(body.spec.volumes).toBeUndefined();
  });

  it('the secrets of ephemeral containers are limited to those of the account', async () => {
    const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' };
    await api.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'strict', annotations } });
    await api.post(pods('default'), pod('watched', { serviceAccountName: 'strict' }));
    const env = [{ name: 'E', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }];
    const ephemeralContainers = [{ name: 'debug', image: 'i', env }];
    const path = `${pods('default')}/watched/ephemeralcontainers`;
    const { status, body } = await api.patch(path, { spec: { ephemeralContainers } }, 'strategic');
    expect([status, body.message]).toEqual([
      500,
      'ephemeral container debug with envVar E referencing secret.secretName="s" is not allowed because service account strict does not reference that secret',
    ]);
  });
});

describe('without the controllers', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await TestApi.start({ disableAdmissionPlugins: [] });
  });
  afterAll(() => api.stop());

  it('a pod waits for an account that another client creates', async () => {
    await api.post('/api/v1/namespaces', { metadata: { name: 'slow' } });
    const missing = await api.post(pods('slow'), pod('p'));
    expect(missing.body).toMatchObject({
      code: 403,
      message:
        'pods "p" is forbidden: error looking up service account slow/default: serviceaccount "default" not found',
    });
    const created = api.post(pods('slow'), pod('p'));
    await api.post('/api/v1/namespaces/slow/serviceaccounts', { metadata: { name: 'default' } });
    expect((await created).status).toBe(200);
  });
});
