import { describe, expect, it } from 'vitest';
import { type SecuredPodSpec, securedPod } from './secured-pod.ts';
import { detailsOf, violations } from './security-checks.ts';
import type { SecurityLevel } from './security-policy.ts';

const good = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const safe = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };

function violationDetails(
  level: SecurityLevel,
  spec: SecuredPodSpec,
  { version = 'latest', annotations = {} } = {},
): string {
  return detailsOf(violations({ level, version }, securedPod({ metadata: { annotations }, spec })));
}

const container = (securityContext: object, name = 'c') => ({ name, securityContext });

describe('the baseline', () => {
  it.each<[string, SecuredPodSpec, string]>([
    ['nothing', { containers: [{ name: 'c' }] }, ''],
    ['namespaces', { hostIPC: true, hostNetwork: true }, 'host namespaces (hostNetwork=true, hostIPC=true)'],
    [
      'host paths',
      {
        volumes: [
          { name: 'a', hostPath: {} },
          { name: 'e', emptyDir: {} },
        ],
      },
      'hostPath volumes (volume "a")',
    ],
    [
      'host ports as texts',
      { containers: [{ name: 'b', ports: [{ hostPort: 9 }, { hostPort: 10 }, {}] }], initContainers: [{ name: 'a' }] },
      'hostPort (container "b" uses hostPorts 10, 9)',
    ],
    [
      'hosts of probes',
      {
        containers: [
          { name: 'b', livenessProbe: { httpGet: { host: 'x' } } },
          { name: 'a', lifecycle: { preStop: { tcpSocket: { host: 'x' } } } },
        ],
      },
      'probe or lifecycle host (containers "a", "b" use probe or lifecycle host "x")',
    ],
    [
      'privileged containers, those that run first before the others',
      { containers: [container({ privileged: true }, 'b')], initContainers: [container({ privileged: true }, 'z')] },
      'privileged (containers "z", "b" must not set securityContext.privileged=true)',
    ],
    [
      'capabilities',
      { containers: [container({ capabilities: { add: ['SYS_ADMIN', 'CHOWN', 'BPF'] } })] },
      'non-default capabilities (container "c" must not include "BPF", "SYS_ADMIN" in securityContext.capabilities.add)',
    ],
    [
      'proc',
      { containers: [container({ procMount: 'Unmasked' })] },
      'procMount (container "c" must not set securityContext.procMount to "Unmasked")',
    ],
    ['proc with own users', { hostUsers: false, containers: [container({ procMount: 'Unmasked' })] }, ''],
    [
      'AppArmor',
      { securityContext: { appArmorProfile: { type: 'Unconfined' } } },
      'forbidden AppArmor profile (pod must not set AppArmor profile type to "Unconfined")',
    ],
    [
      'SELinux',
      {
        securityContext: { seLinuxOptions: { type: 'spc_t', user: 'u' } },
        containers: [container({ seLinuxOptions: { role: 'r' } })],
      },
      'seLinuxOptions (pod and container "c" set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set; role may not be set)',
    ],
    [
      'seccomp',
      {
        securityContext: { seccompProfile: { type: 'Unconfined' } },
        containers: [container({ seccompProfile: { type: 'Localhost' } })],
      },
      'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
    ],
    [
      'sysctls',
      { securityContext: { sysctls: [{ name: 'net.ipv4.tcp_rmem' }, { name: 'z' }, { name: 'a' }] } },
      'forbidden sysctls (z, a)',
    ],
    [
      'Windows',
      { securityContext: { windowsOptions: { hostProcess: true } } },
      'hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)',
    ],
  ])('looks at %s', (_, spec, expected) => expect(violationDetails('baseline', spec)).toBe(expected));

  it('checks annotations', () => {
    const annotations = {
      'container.apparmor.security.beta.kubernetes.io/b': 'unconfined',
      'container.apparmor.security.beta.kubernetes.io/a': 'runtime/default',
      'container.seccomp.security.alpha.kubernetes.io/b': 'unconfined',
    };
    const spec = { containers: [{ name: 'b' }] };
    expect(violationDetails('baseline', spec, { annotations })).toBe(
      'forbidden AppArmor profile (annotation must not set AppArmor profile type to "container.apparmor.security.beta.kubernetes.io/b="unconfined"")',
    );
    expect(violationDetails('baseline', spec, { annotations, version: 'v1.18' })).toContain(
      'seccompProfile (forbidden annotation container.seccomp.security.alpha.kubernetes.io/b="unconfined")',
    );
  });

  it.each([
    ['v1.26', 'net.ipv4.ip_local_reserved_ports', false],
    ['v1.27', 'net.ipv4.ip_local_reserved_ports', true],
    ['v1.31', 'net.ipv4.tcp_wmem', false],
    ['v1.99', 'net.ipv4.tcp_wmem', true],
  ])('at version %s says of %s: %s', (version, name, allowed) => {
    expect(violationDetails('baseline', { securityContext: { sysctls: [{ name }] } }, { version }) === '').toBe(
      allowed,
    );
  });
});

describe('the restricted level', () => {
  it.each<[string, SecuredPodSpec, string]>([
    ['a good pod', { securityContext: safe, containers: [container(good)] }, ''],
    ['a good container', { containers: [container({ ...good, ...safe })] }, ''],
    [
      'a plain pod',
      { containers: [{ name: 'a' }, { name: 'b' }] },
      'allowPrivilegeEscalation != false (containers "a", "b" must set securityContext.allowPrivilegeEscalation=false), ' +
        'unrestricted capabilities (containers "a", "b" must set securityContext.capabilities.drop=["ALL"]), ' +
        'runAsNonRoot != true (pod or containers "a", "b" must set securityContext.runAsNonRoot=true), ' +
        'seccompProfile (pod or containers "a", "b" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    ],
    [
      'added capabilities, told once',
      {
        securityContext: safe,
        containers: [container({ ...good, capabilities: { add: ['NET_BIND_SERVICE', 'BPF'] } })],
      },
      'unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]; container "c" must not include "BPF" in securityContext.capabilities.add)',
    ],
    [
      'volumes',
      {
        securityContext: safe,
        containers: [container(good)],
        volumes: [
          { name: 'b', hostPath: {} },
          { name: 'a', nfs: {} },
          { name: 'i', image: {} },
        ],
      },
      'restricted volume types (volumes "b", "a" use restricted volume types "hostPath", "nfs")',
    ],
    [
      'root',
      {
        securityContext: { ...safe, runAsNonRoot: false, runAsUser: 0 },
        containers: [container({ ...good, runAsUser: 0 })],
      },
      'runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false), runAsUser=0 (pod and container "c" must not set runAsUser=0)',
    ],
    [
      'root of its own users',
      {
        hostUsers: false,
        securityContext: { ...safe, runAsNonRoot: false, runAsUser: 0 },
        containers: [container({ ...good, procMount: 'Unmasked' })],
      },
      'procMount (container "c" must not set securityContext.procMount to "Unmasked")',
    ],
    ['Windows', { os: { name: 'windows' }, securityContext: { runAsNonRoot: true }, containers: [{ name: 'c' }] }, ''],
  ])('looks at %s', (_, spec, expected) => expect(violationDetails('restricted', spec)).toBe(expected));

  it('was less strict in earlier versions', () => {
    const spec = { containers: [container({ ...safe, capabilities: { add: ['CHOWN'] } })] };
    expect(violationDetails('restricted', spec, { version: 'v1.7' })).toBe('');
    expect(violationDetails('restricted', spec, { version: 'v1.8' })).toContain('allowPrivilegeEscalation != false');
    expect(violationDetails('restricted', spec, { version: 'v1.21' })).not.toContain('capabilities');
    expect(violationDetails('restricted', spec, { version: 'v1.22' })).toContain('unrestricted capabilities');
  });
});
