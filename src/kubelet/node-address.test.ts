import { expect, it } from 'vitest';
import type { ResourceObject } from '../meta/object.ts';
import { Kubelets } from './kubelets.ts';
import { kubeletAddress, type NodeAddressType, nodeAddressTypes } from './node-address.ts';

type Address = readonly [type: string, address: string];

const node = (addresses: readonly Address[], Port?: number): ResourceObject =>
  ({
    metadata: { name: 'n' },
    status: {
      addresses: addresses.map(([type, address]) => ({ type, address })),
      ...(Port !== undefined && { daemonEndpoints: { kubeletEndpoint: { Port } } }),
    },
  }) as unknown as ResourceObject;

it.each<[string, readonly Address[], number | undefined, readonly NodeAddressType[], [string, number]]>([
  [
    'the first preferred type',
    [
      ['InternalIP', '10.0.0.1'],
      ['Hostname', 'n.example'],
    ],
    1,
    nodeAddressTypes,
    ['n.example', 1],
  ],
  [
    'another order',
    [
      ['InternalIP', '10.0.0.1'],
      ['Hostname', 'n.example'],
    ],
    1,
    ['InternalIP', 'Hostname'],
    ['10.0.0.1', 1],
  ],
  [
    'the first of a type',
    [
      ['ExternalIP', '192.0.2.1'],
      ['ExternalIP', '192.0.2.2'],
    ],
    1,
    ['ExternalIP'],
    ['192.0.2.1', 1],
  ],
  ['no port in the status', [['Hostname', 'n']], undefined, nodeAddressTypes, ['n', 10250]],
  ['port 0 in the status', [['Hostname', 'n']], 0, nodeAddressTypes, ['n', 10250]],
])('takes %s', (_name, addresses, port, preferredAddressTypes, expectation) => {
  const options = { preferredAddressTypes, defaultPort: 10250 };
  expect(kubeletAddress(node(addresses, port), options)).toEqual({ host: expectation[0], port: expectation[1] });
});

it.each<[readonly Address[], string]>([
  [[], '[]'],
  [
    [
      ['InternalIP', '10.0.0.1'],
      ['ExternalIP', '192.0.2.1'],
    ],
    '[{InternalIP 10.0.0.1} {ExternalIP 192.0.2.1}]',
  ],
])('needs a preferred address', (addresses, known) => {
  const find = () => kubeletAddress(node(addresses), { preferredAddressTypes: ['Hostname'], defaultPort: 1 });
  const message = `no preferred addresses found; known addresses: ${known}`;
  expect(find).toThrow(expect.objectContaining({ status: expect.objectContaining({ code: 500, message }) }));
});

const kubelets = (found: ResourceObject | undefined, ca?: string) =>
  new Kubelets({
    objects: { get: () => found, list: () => [] },
    credentials: () => ({ ca, cert: 'the certificate', key: 'the key' }),
    preferredAddressTypes: nodeAddressTypes,
    defaultPort: 10250,
    connectTimeoutMs: 5000,
  });

it('needs the node', async () => {
  await expect(kubelets(undefined).of('gone')).rejects.toMatchObject({
    status: { code: 404, message: 'nodes "gone" not found' },
  });
});

it.each([
  ['the ca', false, true],
  [undefined, false, false],
  ['the ca', true, false],
])(
  'verifies certificates if there is a CA (%s) and the request does not say otherwise (%s)',
  async (ca, skip, verifies) => {
    const kubelet = await kubelets(node([['Hostname', 'n']], 4), ca).of('n', { skipVerification: skip });
    expect(kubelet).toMatchObject({ host: 'n', port: 4, tls: { ca, cert: 'the certificate', key: 'the key' } });
    expect(kubelet.tls.rejectUnauthorized).toBe(verifies);
  },
);
