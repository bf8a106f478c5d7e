import { describe, expect, it } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { alreadyExists, forbidden } from '../../meta/status-error.ts';
import type { AdmissionOperation, AdmissionRequest } from '../admission-request.ts';
import { mutateWith, testRequest, testTarget } from '../test-request.conformance.ts';
import { namespaceAutoProvision } from './namespace-auto-provision.ts';
import { namespaceExists } from './namespace-exists.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';

const namespaces = { group: '', resource: 'namespaces' };
const none: ObjectReader = { get: () => undefined, list: () => [] };
const one = (metadata: ResourceObject['metadata']): ObjectReader => ({ get: () => ({ metadata }), list: () => [] });
const present = one({ name: 'ns' });
const terminating = one({ name: 'ns', deletionTimestamp: '2026-01-01T00:00:00Z' });
const missing = 'namespaces "ns" not found';

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '',
    (error: Error) => error.message,
  );

it.each<[operation: AdmissionOperation, path: string, objects: ObjectReader, message: string]>([
  ['CREATE', '/configmaps', present, ''],
  ['CREATE', '/configmaps', none, missing],
  ['CREATE', '/pods/binding', none, missing],
  [
    'CREATE',
    '/configmaps',
    terminating,
    'configmaps "a" is forbidden: unable to create new content in namespace ns because it is being terminated',
  ],
  ['CREATE', 'authorization.k8s.io/localsubjectaccessreviews', none, ''],
  ['CREATE', 'authorization.k8s.io/localsubjectaccessreviews', terminating, ''],
  ['CREATE', '/namespaces', none, ''],
])('NamespaceLifecycle: %s %s', async (operation, path, objects, message) => {
  expect(await messageOf(mutateWith(namespaceLifecycle, testRequest(testTarget(path), { operation }), objects))).toBe(
    message,
  );
});

it.each<[name: string, isRefused: boolean]>([
  ['default', true],
  ['kube-system', true],
  ['kube-public', true],
  ['kube-node-lease', false],
  ['team', false],
])('NamespaceLifecycle: deleting %s is refused: %s', async (name, isRefused) => {
  const request = testRequest(testTarget('/namespaces'), { operation: 'DELETE', name, namespace: name });
  const message = await messageOf(mutateWith(namespaceLifecycle, request, present));
  expect(message).toBe(isRefused ? `namespaces "${name}" is forbidden: this namespace may not be deleted` : '');
});

it.each<[operation: AdmissionOperation, path: string, objects: ObjectReader, message: string]>([
  ['CREATE', '/configmaps', none, missing],
  ['UPDATE', '/configmaps', none, missing],
  ['DELETE', '/configmaps', none, missing],
  ['UPDATE', '/configmaps', terminating, ''],
  ['CREATE', '/namespaces', none, ''],
])('NamespaceExists: %s %s', async (operation, path, objects, message) => {
  const validate = async (): Promise<void> =>
    namespaceExists.validate!(testRequest(testTarget(path), { operation }), objects);
  expect(await messageOf(validate())).toBe(message);
});

describe('NamespaceAutoProvision', () => {
  async function provided(request: Partial<AdmissionRequest>, objects: ObjectReader, create?: () => Promise<void>) {
    const made: string[] = [];
    const plugin = namespaceAutoProvision(async (name) => {
      made.push(name);
      await create?.();
    });
    const message = await messageOf(mutateWith(plugin, testRequest(testTarget('/configmaps'), request), objects));
    return { made, message };
  }

  it.each<[request: Partial<AdmissionRequest>, objects: ObjectReader, made: string[]]>([
    [{}, none, ['ns']],
    [{}, present, []],
    [{ dryRun: true }, none, []],
    [{ namespace: '' }, none, []],
  ])('%j', async (request, objects, made) => {
    expect(await provided(request, objects)).toEqual({ made, message: '' });
  });

  it('accepts that another request was faster, and reports other failures', async () => {
    const exists = (): Promise<void> => Promise.reject(alreadyExists(namespaces, 'ns'));
    expect((await provided({}, none, exists)).message).toBe('');
    const refuses = (): Promise<void> => Promise.reject(forbidden(namespaces, 'ns', 'no'));
    expect((await provided({}, none, refuses)).message).toBe(
      'configmaps "a" is forbidden: namespaces "ns" is forbidden: no',
    );
  });
});
