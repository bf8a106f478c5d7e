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
  [{ storage: 'paper' }, 'unknown storage "paper": use embedded or memory'],
  [{ tlsCertFile: 'c' }, 'a serving certificate and its private key must be given together'],
  [{ tlsPrivateKeyFile: 'k' }, 'a serving certificate and its private key must be given together'],
  [{ proxyClientCertFile: 'c' }, 'proxy-client-cert-file and proxy-client-key-file must be specified together'],
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
