import { describe, expect, it } from 'vitest';
import { serveFlags } from '../cli/serve-flags.ts';
import { apiServerFlags } from './index.ts';

const flags = (...args: string[]) => apiServerFlags(args, Object.values(serveFlags));

describe('the flags of kube-apiserver', () => {
  /** The flags that envtest passes, some of them in older versions only. */
  const envtest = [
    '--advertise-address=127.0.0.1',
    '--allow-privileged=true',
    '--authorization-mode=RBAC',
    '--bind-address=127.0.0.1',
    '--client-ca-file=/c/client-cert-auth-ca.crt',
    '--disable-admission-plugins=ServiceAccount',
    '--secure-port=6443',
    '--service-account-issuer=https://127.0.0.1:6443/',
    '--service-account-key-file=/c/sa-signer.crt',
    '--service-account-signing-key-file=/c/sa-signer.key',
    '--service-cluster-ip-range=10.0.0.0/24',
  ];
  /** The flags that kind passes through kubeadm. */
  const kind = [
    '--advertise-address=172.18.0.2',
    '--allow-privileged=true',
    '--authorization-mode=Node,RBAC',
    '--client-ca-file=/k/ca.crt',
    '--enable-admission-plugins=NodeRestriction',
    '--enable-bootstrap-token-auth=true',
    '--etcd-cafile=/k/etcd/ca.crt',
    '--etcd-certfile=/k/apiserver-etcd-client.crt',
    '--etcd-keyfile=/k/apiserver-etcd-client.key',
    '--feature-gates=StorageVersionAPI=true',
    '--kubelet-client-certificate=/k/apiserver-kubelet-client.crt',
    '--kubelet-client-key=/k/apiserver-kubelet-client.key',
    '--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname',
    '--proxy-client-cert-file=/k/front-proxy-client.crt',
    '--proxy-client-key-file=/k/front-proxy-client.key',
    '--requestheader-allowed-names=front-proxy-client',
    '--requestheader-client-ca-file=/k/front-proxy-ca.crt',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-username-headers=X-Remote-User',
    '--runtime-config=',
    '--secure-port=6443',
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    '--service-account-key-file=/k/sa.pub',
    '--service-account-signing-key-file=/k/sa.key',
    '--service-cluster-ip-range=10.96.0.0/16',
    '--tls-cert-file=/k/apiserver.crt',
    '--tls-private-key-file=/k/apiserver.key',
  ];

  it.each([...new Set([...envtest, ...kind])])('%s means the same here', (flag) => {
    expect(flags(flag)).toEqual({ serveArgs: [flag], certDir: undefined, etcdServers: undefined });
  });

  it.each<[string[], Partial<ReturnType<typeof flags>>]>([
    [['--cert-dir=/c'], { certDir: '/c' }],
    [['--cert-dir', '/c'], { certDir: '/c' }],
    [['--etcd-servers=http://a:1,http://b:1'], { etcdServers: 'http://a:1,http://b:1' }],
    [['-v=2'], { serveArgs: ['--log-level=info'] }],
    [['--v=4'], { serveArgs: ['--log-level=debug'] }],
    [['-v', '6'], { serveArgs: ['--log-level=debug'] }],
    [['--secure-port', '1'], { serveArgs: ['--secure-port=1'] }],
    [['--profiling', '--secure-port=1'], { serveArgs: ['--profiling=true', '--secure-port=1'] }],
    [['--insecure-port=0', ''], {}],
    [['--storage-backend=etcd3'], {}],
    [['--watch-cache'], {}],
    [['--logging-format=json'], {}],
    [['--endpoint-reconciler-type=lease'], {}],
    [['--controllers=*'], { serveArgs: ['--controllers=*'] }],
    [['--enable-test-api'], { serveArgs: ['--enable-test-api=true'] }],
  ])('%j is understood', (args, expected) => {
    expect(flags(...args)).toEqual({ serveArgs: [], certDir: undefined, etcdServers: undefined, ...expected });
  });

  it.each<[string[], string]>([
    [['--insecure-port=8080'], '--insecure-port=8080 is not supported by Keelson: there is no port without TLS'],
    [['--insecure-bind-address=127.0.0.1'], '--insecure-bind-address is not supported by Keelson: there is no port'],
    [['--storage-backend=etcd2'], '--storage-backend=etcd2 is not supported by Keelson: '],
    [['--watch-cache=false'], '--watch-cache=false is not supported by Keelson: '],
    [['--tls-sni-cert-key=a,b'], '--tls-sni-cert-key is not supported by Keelson: there is one serving certificate'],
    [['--goaway-chance=0.1'], '--goaway-chance is not supported by Keelson'],
    [['--vmodule=x=1'], '--vmodule is not supported by Keelson'],
    [['-v=x'], '--v must be a number: x'],
    [['--bogus=1'], 'Keelson does not have the flag --bogus of kube-apiserver'],
    [['--secure-port'], '--secure-port needs a value'],
    [['serve'], 'not a flag: serve'],
  ])('%j is refused', (args, message) => {
    expect(() => flags(...args)).toThrow(message);
  });
});
