import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ServerOptions } from '../../src/index.ts';
import { testedThreads } from '../shared-store/start-tested-server.ts';
import { TestApi } from './api.ts';

const services = '/api/v1/namespaces/default/services';
const addresses = '/apis/networking.k8s.io/v1/ipaddresses';
const ranges = '/apis/networking.k8s.io/v1/servicecidrs';

let api: TestApi | undefined;
afterEach(async () => {
  await api?.stop();
  api = undefined;
});

async function start(options: ServerOptions): Promise<TestApi> {
  api = await TestApi.start(options);
  return api;
}

const service = (name: string, spec: object = {}) => ({ metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } });

async function names(path: string): Promise<string[]> {
  const { body } = await api!.get(path);
  return body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
}

describe('addresses', () => {
  it('begin with that of the service kubernetes', async () => {
    const { get } = await bound({ serviceClusterIpRange: '10.9.0.0/24' });
    expect((await get(`${services}/kubernetes`)).body.spec.clusterIPs).toEqual(['10.9.0.1']);
    expect((await get(`${ranges}/kubernetes`)).body).toMatchObject({
      spec: { cidrs: ['10.9.0.0/24'] },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    });
    expect((await get(`${addresses}/10.9.0.1`)).body).toMatchObject({
      metadata: { labels: { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' } },
      spec: { parentRef: { resource: 'services', namespace: 'default', name: 'kubernetes' } },
    });
  });

  it('are given once, until none is left, and again after a delete', async () => {
    const { post, del } = await bound({ serviceClusterIpRange: '10.9.0.0/28' });
    const created = await Promise.all(Array.from({ length: 13 }, (_, index) => post(services, service(`s${index}`))));
    const taken = created.map(({ body }) => body.spec.clusterIP);
    expect(new Set([...taken, '10.9.0.1']).size).toBe(14);
    expect((await post(services, service('more'))).body.message).toBe(
      'Service "more" is invalid: spec.clusterIPs: Invalid value: [""]: failed to allocate IP: range is full',
    );
    await del(`${services}/s7`);
    expect((await post(services, service('more'))).body.spec.clusterIP).toBe(taken[7]);
    expect(await names(addresses)).toHaveLength(14);
  });

  it('of an explicit request go to one of many', async () => {
    const { post } = await bound({ serviceClusterIpRange: '10.9.0.0/24' });
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => post(services, service(`s${index}`, { clusterIP: '10.9.0.77' }))),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(422)]);
    const refused = responses.find(({ status }) => status === 422)!;
    expect(refused.body.details.causes).toEqual([
      {
        reason: 'FieldValueInvalid',
        message: 'Invalid value: ["10.9.0.77"]: failed to allocate IP 10.9.0.77: provided IP is already allocated',
        field: 'spec.clusterIPs',
      },
    ]);
  });

  it('are given back by what is refused, by dry runs and by changes of type', async () => {
    const { post, put, get } = await bound({ serviceClusterIpRange: '10.9.0.0/24' });
    const wanted = { clusterIP: '10.9.0.9' };
    expect((await post(services, service('Bad', wanted))).status).toBe(422);
    expect((await post(services, service('kubernetes', wanted))).status).toBe(409);
    expect((await post(`${services}?dryRun=All`, service('dry', wanted))).status).toBe(200);
    expect((await get(`${addresses}/10.9.0.9`)).status).toBe(404);
    expect((await post(services, service('a', wanted))).status).toBe(200);
    expect((await put(`${services}/a`, service('a', { type: 'ExternalName', externalName: 'x.y' }))).status).toBe(200);
    expect((await post(services, service('b', wanted))).status).toBe(200);
    const back = await put(`${services}/a`, service('a'));
    expect(back.body.spec.clusterIP).toMatch(/^10\.9\.0\./);
    expect(back.body.spec.clusterIP).not.toBe('10.9.0.9');
  });

  // Where threads or servers share a store, addresses are allocated in it by creating these objects.
  it.skipIf(testedThreads > 1 || process.env.TEST_STORAGE !== undefined)(
    'stay known when their objects are deleted by hand',
    async () => {
      const { post, del } = await bound({ serviceClusterIpRange: '10.9.0.0/24' });
      await post(services, service('a', { clusterIP: '10.9.0.9' }));
      await del(`${addresses}/10.9.0.9`);
      expect((await post(services, service('b', { clusterIP: '10.9.0.9' }))).status).toBe(422);
    },
  );

  it.each(['1.2.3.4', '10.9.0.0', '10.9.0.255'])(
    'are refused outside the range, in dry runs too: %s',
    async (clusterIP) => {
      const { post } = await bound({ serviceClusterIpRange: '10.9.0.0/24' });
      const message = (text: string): string =>
        `Service "s" is invalid: spec.clusterIPs: Invalid value: ["${clusterIP}"]: failed to allocate IP ${clusterIP}: ${text}`;
      expect((await post(services, service('s', { clusterIP }))).body.message).toBe(
        message('the provided network does not match the current range'),
      );
      expect((await post(`${services}?dryRun=All`, service('s', { clusterIP }))).body.message).toBe(
        message(`the provided IP (${clusterIP}) is not in the valid range. The range of valid IPs is 10.9.0.0/24`),
      );
    },
  );

  it('come from ranges that are added', async () => {
    const { post } = await bound({ serviceClusterIpRange: '10.9.0.0/24' });
    const wanted = service('far', { clusterIP: '10.8.0.9' });
    expect((await post(services, wanted)).body.message).toContain('does not match the current range');
    await post(ranges, { metadata: { name: 'far' }, spec: { cidrs: ['10.8.0.0/24'] } });
    expect((await post(services, wanted)).status).toBe(200);
  });

  it('come in pairs where there are two families', async () => {
    const { post, put } = await bound({ serviceClusterIpRange: '10.9.0.0/24,fd00:9::/112' });
    const { body } = await post(services, service('a', { ipFamilyPolicy: 'RequireDualStack' }));
    expect(body.spec.clusterIPs).toEqual([expect.stringMatching(/^10\.9\./), expect.stringMatching(/^fd00:9::/)]);
    expect(body.spec.ipFamilies).toEqual(['IPv4', 'IPv6']);
    body.spec.ipFamilyPolicy = 'SingleStack';
    const reduced = await put(`${services}/a`, body);
    expect(reduced.body.spec.clusterIPs).toEqual([body.spec.clusterIPs[0]]);
    expect(await names(addresses)).toEqual(expect.not.arrayContaining([body.spec.clusterIPs[1]]));
    const extended = await put(`${services}/a`, service('a', { ipFamilyPolicy: 'PreferDualStack' }));
    expect(extended.body.spec.clusterIPs).toHaveLength(2);
    expect((await post(services, service('six', { ipFamilies: ['IPv6'] }))).body.spec.clusterIP).toMatch(/^fd00:9::/);
  });
});

describe('node ports', () => {
  it('are given once, kept by updates and given back', async () => {
    const { post, put, del } = await bound({ serviceNodePortRange: '31000-31003' });
    const type = { type: 'NodePort' };
    const created = await Promise.all([0, 1, 2, 3].map((index) => post(services, service(`s${index}`, type))));
    const ports = created.map(({ body }) => body.spec.ports[0].nodePort);
    expect(ports.sort()).toEqual([31000, 31001, 31002, 31003]);
    expect((await post(services, service('more', type))).body.message).toBe(
      'Internal error occurred: failed to allocate a nodePort: range is full',
    );
    const kept = await put(`${services}/s0`, service('s0', type));
    expect(kept.body.spec.ports[0].nodePort).toBe(created[0]!.body.spec.ports[0].nodePort);
    await put(`${services}/s1`, service('s1'));
    await del(`${services}/s2`);
    expect((await post(services, service('a', type))).status).toBe(200);
    expect((await post(services, service('b', type))).status).toBe(200);
    expect((await post(services, service('c', type))).status).toBe(500);
  });
});

it('node ports outlive the end of their allocation', async () => {
  const { post, put } = await bound({});
  const created = await post(services, service('s', { type: 'LoadBalancer' }));
  const { ports } = created.body.spec;
  const next = service('s', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false });
  expect((await put(`${services}/s`, next)).body.spec).toMatchObject({ allocateLoadBalancerNodePorts: false, ports });
  expect((await post(services, service('t', { type: 'NodePort', ports }))).status).toBe(422);
});

describe('a restart', () => {
  it('keeps all allocations and repairs those that a crash has left', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'keelson-addresses-'));
    try {
      const options = { storage: 'embedded', dataDir, serviceClusterIpRange: '10.9.0.0/24' } as const;
      const first = await bound(options);
      await first.post(
        services,
        service('a', { type: 'NodePort', clusterIP: '10.9.0.9', ports: [{ port: 1, nodePort: 30007 }] }),
      );
      // Simulates a server that crashed before the service was stored.
      await first.post(addresses, {
        metadata: { name: '10.9.0.10', labels: { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' } },
        spec: { parentRef: { resource: 'services', namespace: 'default', name: 'lost' } },
      });
      await first.del(`${addresses}/10.9.0.9`);
      await api!.stop();
      const { post, get } = await bound(options);
      expect((await post(services, service('b', { clusterIP: '10.9.0.9' }))).status).toBe(422);
      expect(
        (await post(services, service('c', { type: 'NodePort', ports: [{ port: 1, nodePort: 30007 }] }))).status,
      ).toBe(422);
      expect((await post(services, service('d', { clusterIP: '10.9.0.10' }))).status).toBe(200);
      expect((await get(`${addresses}/10.9.0.9`)).body.spec.parentRef.name).toBe('a');
    } finally {
      await api?.stop();
      api = undefined;
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});

async function bound(options: ServerOptions) {
  const server = await start(options);
  return {
    get: (path: string) => server.get(path),
    post: (path: string, body: unknown) => server.post(path, body),
    put: (path: string, body: unknown) => server.put(path, body),
    del: (path: string) => server.delete(path),
  };
}
