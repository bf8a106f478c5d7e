import { expect, it } from 'vitest';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectReader } from '../meta/object-reader.ts';
import { serviceTarget } from './service-target.ts';

const service = (spec: object): ResourceObject => ({
  metadata: { name: 'hook', namespace: 'ns' },
  spec: { clusterIP: '10.96.0.9', ports: [{ name: 'https', port: 443 }], ...spec },
});

function objectsWith(objects: Readonly<Record<string, ResourceObject[]>>): ObjectReader {
  return {
    get: ({ resource }, { namespace, name }) =>
      objects[resource]?.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace),
    list: ({ resource }, namespace) =>
      objects[resource]?.filter(({ metadata }) => metadata.namespace === namespace) ?? [],
  };
}

const slice = (content: object, owner = 'hook'): ResourceObject => ({
  metadata: { name: 'slice', namespace: 'ns', labels: { 'kubernetes.io/service-name': owner } },
  ports: [{ name: 'https', port: 8443 }],
  ...content,
});
const at = (address: string, ready?: boolean) => ({ addresses: [address], conditions: { ready } });
const subsets = [{ addresses: [{ ip: '127.0.0.3' }], ports: [{ name: 'https', port: 9443 }] }];
const endpoints: ResourceObject = { metadata: { name: 'hook', namespace: 'ns' }, subsets };

it.each<[name: string, objects: Record<string, ResourceObject[]>, host: string, port: number]>([
  ['an external name', { services: [service({ type: 'ExternalName', externalName: 'a.example' })] }, 'a.example', 443],
  ['a cluster IP', { services: [service({})] }, '10.96.0.9', 443],
  ['no address at all', { services: [service({ clusterIP: 'None' })] }, 'hook.ns.svc', 443],
  [
    'a ready endpoint',
    { services: [service({})], endpointslices: [slice({ endpoints: [at('127.0.0.1', false), at('127.0.0.2')] })] },
    '127.0.0.2',
    8443,
  ],
  [
    'no endpoint that is ready',
    { services: [service({})], endpointslices: [slice({ endpoints: [at('127.0.0.1', false)] })] },
    '10.96.0.9',
    443,
  ],
  [
    'endpoints of another service',
    { services: [service({})], endpointslices: [slice({ endpoints: [at('127.0.0.1')] }, 'other')] },
    '10.96.0.9',
    443,
  ],
  ['endpoints without slices', { services: [service({})], endpoints: [endpoints] }, '127.0.0.3', 9443],
])('reaches a service with %s', async (_name, objects, host, port) => {
  const target = await serviceTarget(objectsWith(objects), { namespace: 'ns', name: 'hook', port: 443 });
  expect(target).toEqual({ host, port });
});

it.each<[objects: Record<string, ResourceObject[]>, message: string]>([
  [{}, 'service "hook" not found'],
  [{ services: [service({ ports: [{ port: 80 }] })] }, 'no service port 443 found for service "hook"'],
])('refuses a service that cannot be reached: %j', async (objects, message) => {
  const target = serviceTarget(objectsWith(objects), { namespace: 'ns', name: 'hook', port: 443 });
  await expect(target).rejects.toThrow(message);
});
