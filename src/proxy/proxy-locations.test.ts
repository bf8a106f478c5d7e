import { describe, expect, it } from 'vitest';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectReader } from '../meta/object-reader.ts';
import { allowedAddressOf, isGlobalUnicast } from './allowed-address.ts';
import { nodeLocation } from './node-location.ts';
import { podLocation } from './pod-location.ts';
import { proxiedLink, upstreamPath, upstreamQuery } from './proxied-url.ts';
import { parseProxiedName } from './proxy-location.ts';
import { serviceLocation } from './service-location.ts';

const isAllowed = isGlobalUnicast;

/** Objects of the namespace `default`, by resource. */
function reader(objects: Readonly<Record<string, readonly object[]>>): ObjectReader {
  const list = (resource: string) => (objects[resource] ?? []) as ResourceObject[];
  return {
    get: ({ resource }, { namespace, name }) =>
      namespace === 'default' ? list(resource).find(({ metadata }) => metadata.name === name) : undefined,
    list: ({ resource }, namespace) => (namespace === 'default' ? list(resource) : []),
  };
}

const pod = (name: string, ...ips: string[]) => ({
  metadata: { name, namespace: 'default' },
  spec: { containers: [{ name: 'a' }, { name: 'b', ports: [{ containerPort: 8080 }, { containerPort: 9090 }] }] },
  status: { podIP: ips[0], podIPs: ips.map((ip) => ({ ip })) },
});

const failure = (code: number, message: string) => ({ status: { code, message } });

it.each([
  ['10.0.0.1', true],
  ['192.0.2.7', true],
  ['8.8.8.8', true],
  ['2001:db8::1', true],
  ['fd00::1', true],
  ['::ffff:10.0.0.1', true],
  ['127.0.0.1', false],
  ['127.255.255.254', false],
  ['0.0.0.0', false],
  ['255.255.255.255', false],
  ['169.254.169.254', false],
  ['224.0.0.1', false],
  ['239.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['fe80::1', false],
  ['febf::1', false],
  ['fe80::1%eth0', false],
  ['2001:db8::1%1', false],
  ['ff02::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:169.254.169.254', false],
  ['0:0:0:0:0:ffff:7f00:1', false],
  ['127.1', false],
  ['0177.0.0.1', false],
  ['2130706433', false],
  ['localhost', false],
  ['', false],
])('the address %s may be connected to: %s', (address, expected) => {
  expect(isGlobalUnicast(address)).toBe(expected);
});

it('takes an address of a host only if all of its addresses are allowed', async () => {
  await expect(allowedAddressOf('192.0.2.7', isAllowed)).resolves.toBe('192.0.2.7');
  await expect(allowedAddressOf('localhost', isAllowed)).rejects.toMatchObject(failure(400, 'address not allowed'));
  await expect(allowedAddressOf('localhost', () => true)).resolves.toMatch(/^(127\.|::1)/);
  await expect(allowedAddressOf('x'.repeat(300), () => true)).rejects.toMatchObject({ status: { code: 400 } });
});

it.each([
  ['web', { scheme: '', name: 'web', port: '' }],
  ['web:80', { scheme: '', name: 'web', port: '80' }],
  ['web:', { scheme: '', name: 'web', port: '' }],
  ['https:web:443', { scheme: 'https', name: 'web', port: '443' }],
  [':web:', { scheme: '', name: 'web', port: '' }],
  [':80', undefined],
  ['http::80', undefined],
  ['HTTP:web:80', undefined],
  ['file:web:80', undefined],
  ['a:b:c:d', undefined],
])('%s names %j', (text, expected) => {
  expect(parseProxiedName(text)).toEqual(expected);
});

describe('a pod', () => {
  const objects = reader({ pods: [pod('web', '10.0.0.1', '2001:db8::1'), pod('six', '2001:db8::1'), pod('new')] });
  const locate = (name: string) => podLocation(objects, { namespace: 'default', name }, { isAllowed });

  it.each([
    ['web', 'http:', '10.0.0.1', 8080],
    ['web:81', 'http:', '10.0.0.1', 81],
    ['https:web:', 'https:', '10.0.0.1', 8080],
    ['six:1', 'http:', '2001:db8::1', 1],
  ])('%s', async (name, protocol, host, port) => {
    expect(await locate(name)).toMatchObject({ protocol, host, port, tls: { rejectUnauthorized: false } });
  });

  it('without ports listens where the scheme says', async () => {
    const bare = reader({ pods: [{ ...pod('bare', '10.0.0.1'), spec: { containers: [{}] } }] });
    const at = (name: string) => podLocation(bare, { namespace: 'default', name }, { isAllowed });
    expect((await at('bare')).port).toBe(80);
    expect((await at('https:bare:')).port).toBe(443);
  });

  it.each([
    ['new', 400, 'address not allowed'],
    ['missing', 404, 'pods "missing" not found'],
    ['web:x', 400, 'invalid pod request "web:x"'],
    ['web:0', 400, 'invalid pod request "web:0"'],
    ['web:65536', 400, 'invalid pod request "web:65536"'],
    ['web:-1', 400, 'invalid pod request "web:-1"'],
    ['web:1e3', 400, 'invalid pod request "web:1e3"'],
  ])('%s is refused', async (name, code, message) => {
    await expect(locate(name)).rejects.toMatchObject(failure(code, message));
  });
});

describe('a service', () => {
  const targetRef = { kind: 'Pod', namespace: 'default', name: 'web' };
  const service = (name: string) => ({
    metadata: { name },
    spec: {
      ports: [
        { name: 'http', port: 80 },
        { name: 'admin', port: 81 },
      ],
    },
  });
  const ports = [
    { name: 'http', port: 8080 },
    { name: 'admin', port: 8081 },
  ];
  const slice = (name: string, endpoints: readonly object[]) => ({
    metadata: { name: `${name}-x`, labels: { 'kubernetes.io/service-name': name } },
    ports,
    endpoints,
  });
  const objects = reader({
    pods: [pod('web', '10.0.0.1', '2001:db8::1')],
    services: ['sliced', 'second', 'old', 'empty', 'none', 'loop'].map(service),
    endpointslices: [
      slice('sliced', [
        { addresses: ['10.0.0.9'], targetRef },
        { addresses: ['10.0.0.1'], conditions: { ready: false }, targetRef },
        { addresses: ['2001:db8::1'], conditions: { ready: true }, targetRef },
      ]),
      slice('empty', []),
      slice('loop', [{ addresses: ['127.0.0.1'], targetRef }]),
    ],
    endpoints: [{ metadata: { name: 'old' }, subsets: [{ ports, addresses: [{ ip: '10.0.0.1', targetRef }] }] }],
  });
  const locate = async (name: string) => serviceLocation(objects, { namespace: 'default', name }, { isAllowed });

  it.each([
    ['sliced:80', 'http:', '2001:db8::1', 8080],
    ['sliced:admin', 'http:', '2001:db8::1', 8081],
    ['https:old:81', 'https:', '10.0.0.1', 8081],
  ])('%s', async (name, protocol, host, port) => {
    expect(await locate(name)).toMatchObject({ protocol, host, port });
  });

  it.each([
    ['missing:80', 404, 'services "missing" not found'],
    ['sliced:82', 503, 'no service port 82 found for service "sliced"'],
    ['sliced', 503, 'no endpoints available for service "sliced"'],
    ['empty:80', 503, 'no endpoints available for service "empty"'],
    ['none:80', 503, 'no endpoints available for service "none"'],
    ['http:loop:80', 503, 'no endpoints available for service "http:loop:80"'],
    ['x:y:z:1', 400, 'invalid service request "x:y:z:1"'],
  ])('%s is refused', async (name, code, message) => {
    await expect(locate(name)).rejects.toMatchObject(failure(code, message));
  });
});

describe('a node', () => {
  const tls = { ca: 'the ca', cert: 'the cert', key: 'the key', rejectUnauthorized: true };
  const locate = (name: string, host: string) =>
    nodeLocation(async () => ({ host, port: 10250, tls, connectTimeoutMs: 5000 }), { name }, { isAllowed });

  it.each(['n', 'n:10250', 'http:n:10250', 'https:n:'])('%s is its kubelet', async (name) => {
    const location = { protocol: 'https:', port: 10250, connectTimeoutMs: 5000 };
    expect(await locate(name, '127.0.0.1')).toEqual({
      ...location,
      host: '127.0.0.1',
      tls: { ...tls, servername: '' },
    });
    expect(await locate(name, 'n.example')).toEqual({
      ...location,
      host: 'n.example',
      tls: { ...tls, servername: 'n.example' },
    });
  });

  it.each([
    ['n:9100', 'http:'],
    ['https:n:9100', 'https:'],
  ])('%s is another server, which does not get the credentials for kubelets', async (name, protocol) => {
    expect(await locate(name, '192.0.2.7')).toEqual({
      protocol,
      host: '192.0.2.7',
      port: 9100,
      tls: { rejectUnauthorized: false, servername: '' },
      connectTimeoutMs: 30_000,
    });
  });

  it('has no other servers on loopback addresses', async () => {
    for (const host of ['127.0.0.1', '::1', 'localhost']) {
      await expect(locate('n:9100', host)).rejects.toMatchObject(failure(400, 'address not allowed'));
    }
  });
});

it.each([
  ['', '/'],
  ['/', '/'],
  ['/a/b/', '/a/b/'],
  ['a', '/a'],
  ['//a///b', '/a/b'],
  ['/../../a', '/a'],
  ['/a/.', '/a'],
  ['/-_.~$&+,:;=@', '/-_.~$&+,:;=@'],
  ["/a b?c#d%25!*'()[]", '/a%20b%3Fc%23d%2525%21%2A%27%28%29%5B%5D'],
  ['/\u00e4\r\n\ud800', '/%C3%A4%0D%0A%EF%BF%BD'],
  ['/\\a', '/%5Ca'],
])('the path %j is sent as %s', (path, expected) => {
  expect(upstreamPath(path)).toBe(expected);
});

it.each([
  ['', ''],
  ['a=%20&b', '?a=%20&b'],
  ['a=b c\u00e4\n', '?a=b%20c%C3%A4%0A'],
])('the query %j is sent as %s', (query, expected) => {
  expect(upstreamQuery(query)).toBe(expected);
});

it.each([
  ['/x', '/p/proxy/x'],
  ['/', '/p/proxy/'],
  ['/a/../b//c/', '/p/proxy/b/c/'],
  ['/x?u=http://y/z#/f', '/p/proxy/x?u=http://y/z#/f'],
  ['http://10.0.0.1:80/x', '/p/proxy/x'],
  ['//10.0.0.1:80/x', '/p/proxy/x'],
  ['https://api:6443/x', 'https://api:6443/p/proxy/x'],
  ['//api:6443/x', '//api:6443/p/proxy/x'],
  ['/p/proxy', '/p/proxy'],
  ['/p/proxy/x', '/p/proxy/x'],
  ['/p/proxyx', '/p/proxy/p/proxyx'],
  ['http://10.0.0.1:81/x', 'http://10.0.0.1:81/x'],
  ['http://user@10.0.0.1:80/x', 'http://user@10.0.0.1:80/x'],
  ['http://10.0.0.1:80', 'http://10.0.0.1:80'],
  ['x/y', 'x/y'],
  ['?a', '?a'],
  ['#a', '#a'],
  ['mailto:a@b', 'mailto:a@b'],
  ['', ''],
])('the link %s is passed on as %s', (link, expected) => {
  const place = { prefix: '/p/proxy', requestHost: 'api:6443', upstreamHost: '10.0.0.1:80' };
  expect(proxiedLink(link, place)).toBe(expected);
});
