import { describe, expect, it } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { mutateWith, testRequest, testTarget } from '../test-request.conformance.ts';
import { serviceAccount } from './service-account.ts';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const pods = testTarget('/pods', 'Pod');
const container = { name: 'c', image: 'i' };

function accounts(...found: (Partial<ResourceObject> & { name: string })[]): ObjectReader {
  const all = found.map(({ name, metadata, ...rest }) => ({ ...rest, metadata: { ...metadata, name } }));
  return {
    get: (_type, { name }) => all.find(({ metadata }) => metadata.name === name),
    list: () => all,
  };
}

function podRequest(spec: object, metadata: object = {}): AdmissionRequest {
  return testRequest(pods, {
    name: 'p',
    object: { metadata: { name: 'p', ...metadata }, spec: structuredClone(spec) },
  });
}

const noWait = { wait: async () => {} };
const plugin = serviceAccount(noWait);
const mutated = (request: AdmissionRequest, objects: ObjectReader): Promise<ResourceObject> =>
  mutateWith(plugin, request, objects);
const refusal = (request: AdmissionRequest, objects: ObjectReader): Promise<string> =>
  mutated(request, objects).then(
    () => '',
    (error: Error) => error.message,
  );

describe('a new pod', () => {
  it('gets the default account with a token, the CA and the namespace in every container', async () => {
    const { spec } = await mutated(
      podRequest({ containers: [container], initContainers: [{ name: 'first', image: 'i' }] }),
      accounts({ name: 'default' }),
    );
    const { volumes, containers, initContainers, ...rest } = spec as Record<string, { name: string }[]>;
    expect(rest).toEqual({ serviceAccountName: 'default', serviceAccount: 'default' });
    const [{ name }] = volumes as [{ name: string }];
    expect(name).toMatch(/^kube-api-access-[a-z0-9]{5}$/);
    expect(volumes).toEqual([
      {
        name,
        projected: {
          defaultMode: 420,
          sources: [
            { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
            { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
            {
              downwardAPI: {
                items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
              },
            },
          ],
        },
      },
    ]);
    const volumeMounts = [{ name, readOnly: true, mountPath }];
    expect([initContainers, containers]).toEqual([
      [{ name: 'first', image: 'i', volumeMounts }],
      [{ ...container, volumeMounts }],
    ]);
  });

  it.each<[spec: object, account: object, isMounted: boolean]>([
    [{}, {}, true],
    [{ automountServiceAccountToken: false }, {}, false],
    [{}, { automountServiceAccountToken: false }, false],
    [{ automountServiceAccountToken: true }, { automountServiceAccountToken: false }, true],
    [{ automountServiceAccountToken: false }, { automountServiceAccountToken: true }, false],
  ])('has %j, its account has %j, and it gets a token: %s', async (given, account, isMounted) => {
    const { spec } = await mutated(
      podRequest({ ...given, containers: [container] }),
      accounts({ name: 'default', ...account }),
    );
    expect((spec as { volumes?: unknown[] }).volumes !== undefined).toBe(isMounted);
  });

  it('keeps what a container has in place of the token, and uses a volume for tokens that is already there', async () => {
    const own = { name: 'own', mountPath };
    const spec = { containers: [{ ...container, volumeMounts: [own] }] };
    expect((await mutated(podRequest(spec), accounts({ name: 'default' }))).spec).toEqual({
      ...spec,
      serviceAccountName: 'default',
      serviceAccount: 'default',
    });
    const volumes = [{ name: 'kube-api-access-mine', emptyDir: {} }];
    const second = await mutated(podRequest({ volumes, containers: [container] }), accounts({ name: 'default' }));
    expect(second.spec).toMatchObject({
      volumes,
      containers: [{ volumeMounts: [{ name: 'kube-api-access-mine', mountPath }] }],
    });
  });

  it('gets the pull secrets of its account unless it has its own', async () => {
    const objects = accounts({ name: 'default', imagePullSecrets: [{ name: 'x' }] });
    const pulled = async (spec: object): Promise<unknown> =>
      ((await mutated(podRequest(spec), objects)).spec as ResourceObject).imagePullSecrets;
    expect(await pulled({})).toEqual([{ name: 'x' }]);
    expect(await pulled({ imagePullSecrets: [{ name: 'y' }] })).toEqual([{ name: 'y' }]);
  });

  it('waits for the default account, and for no other', async () => {
    let waits = 0;
    const objects: ObjectReader = {
      get: (_type, { name }) => (name === 'default' && waits === 3 ? { metadata: { name } } : undefined),
      list: () => [],
    };
    const patient = serviceAccount({ wait: async () => void waits++ });
    await mutateWith(patient, podRequest({}), objects);
    expect(waits).toBe(3);
    await expect(mutateWith(patient, podRequest({ serviceAccountName: 'none' }), objects)).rejects.toThrow(
      'pods "p" is forbidden: error looking up service account ns/none: serviceaccount "none" not found',
    );
    expect(waits).toBe(3);
    await expect(mutateWith(patient, podRequest({}), accounts())).rejects.toThrow(
      'error looking up service account ns/default: serviceaccount "default" not found',
    );
    expect(waits).toBe(12);
  });
});

describe('a mirror pod', () => {
  const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } };

  it('is left as it is', async () => {
    const { spec } = await mutated(podRequest({ containers: [container] }, mirror), accounts());
    expect(spec).toEqual({ containers: [container] });
  });

  it.each<[spec: object, message: string]>([
    [{ serviceAccountName: 'a' }, 'a mirror pod may not reference service accounts'],
    [{ volumes: [{ name: 'v', secret: { secretName: 's' } }] }, 'a mirror pod may not reference secrets'],
    [{ imagePullSecrets: [{ name: 's' }] }, 'a mirror pod may not reference secrets'],
    [
      { volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] },
      'a mirror pod may not use ServiceAccountToken volume projections',
    ],
  ])('is refused if it has %j', async (spec, message) => {
    expect(await refusal(podRequest(spec, mirror), accounts())).toBe(`pods "p" is forbidden: ${message}`);
  });
});

describe('an account that limits secrets', () => {
  const limited = accounts({
    name: 'default',
    metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
    secrets: [{ name: 'mine' }],
    imagePullSecrets: [{ name: 'pull' }],
  });
  const env = (name: string) => [{ name: 'E', valueFrom: { secretKeyRef: { name, key: 'k' } } }];
  const tail = 'is not allowed because service account default does not reference that secret';

  it.each<[spec: object, message: string]>([
    [{ volumes: [{ name: 'v', secret: { secretName: 'mine' } }], containers: [{ name: 'c', env: env('mine') }] }, ''],
    [{ volumes: [{ name: 'v', secret: { secretName: 'other' } }] }, `volume with secret.secretName="other" ${tail}`],
    [
      { initContainers: [{ name: 'c', env: env('other') }] },
      `init container c with envVar E referencing secret.secretName="other" ${tail}`,
    ],
    [
      { containers: [{ name: 'c', env: env('other') }] },
      `container c with envVar E referencing secret.secretName="other" ${tail}`,
    ],
    [
      { containers: [{ name: 'c', envFrom: [{ secretRef: { name: 'other' } }] }] },
      `container c with envFrom referencing secret.secretName="other" ${tail}`,
    ],
    [
      { imagePullSecrets: [{ name: 'pull' }, { name: 'x' }] },
      'imagePullSecrets[1].name="x" is not allowed because service account default does not reference that imagePullSecret',
    ],
  ])('allows or refuses %j', async (spec, message) => {
    expect(await refusal(podRequest(spec), limited)).toBe(message && `pods "p" is forbidden: ${message}`);
  });

  it('limits those of new ephemeral containers', async () => {
    const target = testTarget('/pods/ephemeralcontainers', 'Pod');
    const update = (spec: object): AdmissionRequest =>
      testRequest(target, {
        operation: 'UPDATE',
        name: 'p',
        object: { metadata: { name: 'p' }, spec } as ResourceObject,
      });
    const spec = { serviceAccountName: 'default', ephemeralContainers: [{ name: 'e', env: env('other') }] };
    await expect(async () => plugin.validate!(update(spec), limited)).rejects.toThrow(
      `ephemeral container e with envVar E referencing secret.secretName="other" ${tail}`,
    );
    await plugin.validate!(update(spec), accounts({ name: 'default' }));
    await expect(async () => plugin.validate!(update({}), limited)).rejects.toThrow(
      'pods "p" is forbidden: no service account specified for pod ns/p',
    );
  });
});
