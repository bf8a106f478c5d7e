import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectReader } from '../meta/object-reader.ts';
import { CertificateAuthority } from '../pki/certificate-authority.ts';
import { serviceTarget } from '../server/service-target.ts';
import type { RemoteAPIService } from './api-service.ts';
import { checkAvailability } from './availability-check.ts';
import { ExtensionAccess } from './extension-access.ts';

const authority = CertificateAuthority.create(new Date());
const pair = authority.issue({ subject: [{ type: 'CN', value: 'x' }], usage: 'server', hosts: ['s.n.svc'] });
const client = authority.issue({ subject: [{ type: 'CN', value: 'proxy' }], usage: 'client' });

/** A server that answers with one status after the other, and then with the last one. */
async function portOf(...statuses: number[]): Promise<number> {
  const next = (): number => (statuses.length > 1 ? statuses.shift()! : statuses[0]!);
  const server: Server = createServer(pair, (_request, response) => response.writeHead(next()).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

interface Objects {
  readonly service?: object;
  readonly slices?: readonly object[];
  readonly endpoints?: object;
  readonly failing?: string;
}

function readerOf({ service, slices = [], endpoints, failing }: Objects): ObjectReader {
  const read = <T>(resource: string, value: T): T => {
    if (resource === failing) throw new Error('broken');
    return value;
  };
  return {
    get: ({ resource }) =>
      read(resource, (resource === 'services' ? service : endpoints) as ResourceObject | undefined),
    list: ({ resource }) => read(resource, slices as ResourceObject[]),
  };
}

async function check(objects: Objects, spec: object = {}): Promise<string> {
  const reader = readerOf(objects);
  const access = new ExtensionAccess({
    resolve: (service) => serviceTarget(reader, service),
    clientPair: () => client,
  });
  const apiService = {
    metadata: { name: 'v1.g' },
    spec: {
      group: 'g',
      version: 'v1',
      service: { namespace: 'n', name: 's' },
      caBundle: Buffer.from(authority.pair.cert).toString('base64'),
      ...spec,
    },
  } as RemoteAPIService;
  const { status, reason, message } = await checkAvailability(apiService, { objects: reader, access });
  return `${status} ${reason}: ${message}`;
}

const service = { metadata: {}, spec: { type: 'ClusterIP', ports: [{ port: 443, name: 'web' }] } };
const slice = (port: number, more = {}) => ({
  metadata: { labels: { 'kubernetes.io/service-name': 's' } },
  ports: [{ name: 'web', port }],
  endpoints: [{ addresses: ['127.0.0.1'], ...more }],
});
const passed = 'True Passed: all checks passed';

describe('a server is available', () => {
  it('at a ready endpoint', async () => {
    expect(await check({ service, slices: [slice(await portOf(200))] })).toBe(passed);
  });

  it('at an endpoint of the older kind', async () => {
    const subsets = [{ addresses: [{ ip: '127.0.0.1' }], ports: [{ name: 'web', port: await portOf(200) }] }];
    expect(await check({ service, endpoints: { metadata: {}, subsets } })).toBe(passed);
  });

  it('if one of several tries succeeds', async () => {
    expect(await check({ service, slices: [slice(await portOf(500, 500, 200))] })).toBe(passed);
  });

  it('if it has any certificate and no check is wanted', async () => {
    const spec = { caBundle: undefined, insecureSkipTLSVerify: true };
    expect(await check({ service, slices: [slice(await portOf(200))] }, spec)).toBe(passed);
  });
});

describe('a server is not available', () => {
  it.each<[string, Objects, string]>([
    ['without a service', {}, 'False ServiceNotFound: service/s in "n" is not present'],
    [
      'when the service cannot be read',
      { failing: 'services' },
      'Unknown ServiceAccessError: service/s in "n" cannot be checked due to: broken',
    ],
    [
      'without the port',
      { service: { metadata: {}, spec: { type: 'ClusterIP', ports: [{ port: 80 }] } } },
      'False ServicePortError: service/s in "n" is not listening on port 443',
    ],
    ['without endpoints', { service }, 'False EndpointsNotFound: cannot find endpointslices for service/s in "n"'],
    [
      'when its endpoints cannot be read',
      { service, failing: 'endpointslices' },
      'Unknown EndpointsAccessError: service/s in "n" cannot be checked due to: broken',
    ],
    [
      'when no endpoint is ready',
      { service, slices: [slice(1, { conditions: { ready: false } })] },
      'False MissingEndpoints: endpointslices for service/s in "n" have no addresses with port name "web"',
    ],
    [
      'when nobody listens',
      { service, slices: [slice(1)] },
      'False FailedDiscoveryCheck: failing or missing response from https://127.0.0.1:1/apis/g/v1: Get "https://127.0.0.1:1/apis/g/v1": dial tcp 127.0.0.1:1: connect: connection refused',
    ],
  ])('%s', async (_when, objects, expected) => {
    expect(await check(objects)).toBe(expected);
  });

  it('when it does not know the group version', async () => {
    const port = await portOf(404);
    const url = `https://127.0.0.1:${port}/apis/g/v1`;
    expect(await check({ service, slices: [slice(port)] })).toBe(
      `False FailedDiscoveryCheck: failing or missing response from ${url}: bad status from ${url}: 404`,
    );
  });

  it('when its certificate is for another name', async () => {
    const spec = { service: { namespace: 'n', name: 'other' } };
    const other = { ...slice(await portOf(200)), metadata: { labels: { 'kubernetes.io/service-name': 'other' } } };
    expect(await check({ service, slices: [other] }, spec)).toMatch(
      /certificate is valid for s\.n\.svc, not other\.n\.svc$/,
    );
  });
});
