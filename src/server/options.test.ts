import { expect, it } from 'vitest';
import { resolveOptions, type ServerOptions } from './options.ts';

it('uses ./.keelson as the default data directory', () => {
  expect(resolveOptions({})).toMatchObject({ storage: 'embedded', dataDir: '.keelson', bindAddress: '127.0.0.1' });
  expect(resolveOptions({ dataDir: '/d' }).dataDir).toBe('/d');
});

it('writes nothing to disk with memory storage', () => {
  expect(resolveOptions({ storage: 'memory' }).dataDir).toBeUndefined();
  expect(resolveOptions({ storage: 'memory', dataDir: '/d' }).dataDir).toBe('/d');
});

it('treats undefined as absent', () => {
  const options = resolveOptions({ securePort: undefined, featureGates: undefined, log: undefined });
  expect(options).toMatchObject({ securePort: 0, featureGates: { WatchList: true }, log: expect.anything() });
});

it.each<[object, string]>([
  [{ storage: 'paper' }, 'unknown storage "paper": use embedded, memory or etcd'],
  [{ storage: 'etcd' }, 'etcd-servers must be specified'],
  [{ etcdServers: ['http://e:2379'] }, 'etcd-servers needs the storage etcd'],
  [{ storage: 'memory', etcdCafile: 'ca' }, 'etcd-cafile needs the storage etcd'],
  [
    { storage: 'etcd', etcdServers: ['e:2379'] },
    'not an etcd endpoint: "e:2379": use http://HOST:PORT, https://HOST:PORT or unix://PATH',
  ],
  [
    { storage: 'etcd', etcdServers: ['http://e:2379'], etcdKeyfile: 'k' },
    'a client certificate for etcd and its private key must be given together',
  ],
  [
    { storage: 'etcd', etcdServers: ['http://e:2379'], etcdCompactionIntervalMs: -1 },
    'the interval of compactions must not be negative',
  ],
  [{ tlsCertFile: 'c' }, 'a serving certificate and its private key must be given together'],
  [{ tlsPrivateKeyFile: 'k' }, 'a serving certificate and its private key must be given together'],
  [{ proxyClientCertFile: 'c' }, 'proxy-client-cert-file and proxy-client-key-file must be specified together'],
  [{ healthPort: 8080, healthBindAddress: 'localhost' }, 'health-bind-address must be an IP address: localhost'],
  [{ healthPort: 8080, healthBindAddress: '127.0.0.1:80' }, 'health-bind-address must be an IP address: 127.0.0.1:80'],
  [{ healthBindAddress: '0.0.0.0' }, 'health-bind-address needs health-port'],
  [{ requestTimeoutMs: 0 }, 'the request timeout must be positive'],
  [{ featureGates: 'Gadget=true' }, 'unrecognized feature gate: Gadget'],
  [{ kubeletClientKey: 'k' }, 'the client certificate for kubelets and its private key must be given together'],
  [
    { kubeletPreferredAddressTypes: ['IP'] },
    'unknown type of node addresses "IP": use Hostname, InternalDNS, InternalIP, ExternalDNS, ExternalIP',
  ],
  [{ kubeletPreferredAddressTypes: [] }, 'kubelet-preferred-address-types must not be empty'],
  [{ kubeletPort: 65536 }, 'the port of kubelets must be between 1 and 65535'],
  [{ kubeletTimeoutMs: 0 }, 'the timeout for kubelets must be positive'],
  [{ postCreateStatus: 202 }, 'the status of a create must be 200 or 201'],
])('refuses %j', (options, message) => {
  expect(() => resolveOptions(options as ServerOptions)).toThrow(new RangeError(message));
});
