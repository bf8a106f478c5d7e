import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../../meta/field-error.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import { ephemeralContainersRules } from './ephemeral-containers-rules.ts';
import { setPodDefaults } from './pod-defaults.ts';
import { preparePod } from './pod-preparation.ts';
import { validatePodStatus } from './pod-status-validation.ts';
import { validatePodTemplate } from './pod-template-validation.ts';
import { validatePod } from './pod-validation.ts';
import { resizeRules } from './resize-rules.ts';
import { dropUnservedIn } from './unserved-references.ts';

const web = { name: 'c', image: 'i' };

function podWith(spec: object, metadata: object = {}): ResourceObject {
  const pod = { metadata: { name: 'p', ...metadata }, spec: { containers: [{ ...web }], ...structuredClone(spec) } };
  setPodDefaults(pod);
  return pod;
}

const errorsOf = (spec: object, metadata?: object): string[] => {
  const pod = podWith(spec, metadata);
  preparePod(pod);
  return validatePod(pod).map(fieldErrorText);
};

const fromFile = (volumeName: string, path = 'a.env') => [
  { ...web, env: [{ name: 'A', valueFrom: { fileKeyRef: { volumeName, path, key: 'K' } } }] },
];
const fileField = 'spec.containers[0].env[0].valueFrom.fileKeyRef';
const term = (selector: object, keys: object) => ({
  affinity: {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', labelSelector: selector, ...keys }],
    },
  },
});
const termField = 'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]';
const twice = 'exists in both matchLabelKeys and labelSelector';

describe('a pod', () => {
  it.each<[string, object, string[]]>([
    ['a file in an empty dir', { containers: fromFile('v', '/a'), volumes: [{ name: 'v', emptyDir: {} }] }, []],
    ['a file in no volume', { containers: fromFile('v') }, [`${fileField}.volumeName: Not found: "v"`]],
    [
      'a file in another volume',
      { containers: fromFile('v'), volumes: [{ name: 'v', hostPath: { path: '/a', type: '' } }] },
      [`${fileField}.volumeName: Invalid value: "v": referenced volume must be of type emptyDir`],
    ],
    [
      'a file outside of its volume',
      { containers: fromFile('v', '../a'), volumes: [{ name: 'v', emptyDir: {} }] },
      [`${fileField}.path: Invalid value: "../a": must not contain '..'`],
    ],
    [
      'an init container that restarts on resize',
      {
        initContainers: [
          {
            name: 'i',
            image: 'i',
            resizePolicy: [
              { resourceName: 'cpu', restartPolicy: 'NotRequired' },
              { resourceName: 'memory', restartPolicy: 'RestartContainer' },
            ],
          },
        ],
      },
      [
        'spec.initContainers[0].resizePolicy[1].restartPolicy: Invalid value: "RestartContainer": ' +
          "must not be set to 'RestartContainer' for non-sidecar initContainers",
      ],
    ],
    [
      'two sources in a projection',
      {
        volumes: [{ name: 'v', projected: { defaultMode: 420, sources: [{ secret: { name: 's' }, configMap: {} }] } }],
      },
      [
        'spec.volumes[0].projected.sources[0].configMap.name: Required value',
        'spec.volumes[0].projected.sources[0]: Forbidden: may not specify more than 1 volume type per source',
      ],
    ],
    [
      'two volume types',
      { volumes: [{ name: 'v', emptyDir: {}, cephfs: { monitors: ['m'] } }] },
      ['spec.volumes[0].cephFS: Forbidden: may not specify more than 1 volume type'],
    ],
    [
      'a disk without a name',
      { volumes: [{ name: 'v', gcePersistentDisk: {} }] },
      ['spec.volumes[0].persistentDisk.pdName: Required value'],
    ],
    [
      'an unknown kind of initiator',
      { volumes: [{ name: 'v', iscsi: { targetPortal: 'a', iqn: 'x', lun: 0 } }] },
      ['spec.volumes[0].iscsi.iqn: Invalid value: "x": must be valid format starting with iqn, eui, or naa'],
    ],
    [
      'relabelling by mounting',
      { securityContext: { seLinuxChangePolicy: 'MountOption' } },
      ['spec.securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"'],
    ],
    [
      'a block device in a user namespace',
      {
        hostUsers: false,
        volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'a' } }],
        containers: [{ ...web, volumeDevices: [{ name: 'v', devicePath: '/dev/a' }] }],
      },
      ['spec.containers[0].volumeDevices: Forbidden: when `hostUsers` is false'],
    ],
    ['an operating system without a name', { os: {} }, ['spec.os.name: Required value']],
    [
      'resources of a windows pod',
      { os: { name: 'windows' }, resources: { limits: { cpu: '1' } } },
      ['spec.resources: Forbidden: may not be set for a windows pod'],
    ],
    [
      'a request of a claim that is no label',
      {
        containers: [{ ...web, resources: { claims: [{ name: 'a', request: 'b.c' }] } }],
        resourceClaims: [{ name: 'a', resourceClaimName: 'x' }],
      },
      ['spec.containers[0].resources.claims[0].request: Invalid value: "b.c": must not contain dots'],
    ],
    [
      'a key that is matched and not matched',
      term({ matchLabels: { b: 'c' } }, { matchLabelKeys: ['k'], mismatchLabelKeys: ['k'] }),
      [`${termField}.matchLabelKeys[0]: Invalid value: "k": exists in both matchLabelKeys and mismatchLabelKeys`],
    ],
    [
      'one expression for a key without a label',
      term({ matchExpressions: [{ key: 'k', operator: 'NotIn', values: ['v'] }] }, { matchLabelKeys: ['k'] }),
      [],
    ],
    [
      'an expression for a key with a label',
      term({ matchExpressions: [{ key: 'app', operator: 'In', values: ['x'] }] }, { matchLabelKeys: ['app'] }),
      [`${termField}[0]: Invalid value: "app": ${twice}`],
    ],
    [
      'the same in a spread constraint',
      {
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'zone',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['x'] }] },
            matchLabelKeys: ['app'],
          },
        ],
      },
      [`spec.topologySpreadConstraints[0][0]: Invalid value: "app": ${twice}`],
    ],
  ])('%s', (_name, spec, errors) => {
    expect(errorsOf(spec, { labels: { app: 'x' } })).toEqual(errors);
  });

  it('has profiles that match its annotations', () => {
    const annotations = { 'container.apparmor.security.beta.kubernetes.io/c': 'runtime/default' };
    const containers = (type: string) => [{ ...web, securityContext: { appArmorProfile: { type } } }];
    expect(errorsOf({ containers: containers('RuntimeDefault') }, { annotations })).toEqual([]);
    expect(errorsOf({ containers: containers('Unconfined') }, { annotations })).toEqual([
      'spec.containers[0].securityContext.appArmorProfile.type: Forbidden: apparmor type in annotation and field must match',
    ]);
  });

  it('loses stop signals, unless it had one', () => {
    const pod = podWith({ containers: [{ ...web, lifecycle: { stopSignal: 'SIGHUP' } }] });
    const before = structuredClone(pod);
    dropUnservedIn('spec')(pod, undefined, () => true);
    expect(pod.spec).toMatchObject({ containers: [{ name: 'c' }] });
    expect(JSON.stringify(pod)).not.toContain('lifecycle');
    const next = structuredClone(before);
    dropUnservedIn('spec')(next, before, () => true);
    expect(next).toEqual(before);
  });
});

it('has annotations of templates match their fields', () => {
  const { spec } = podWith({ securityContext: { seccompProfile: { type: 'Unconfined' } } });
  const metadata = { annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default' } };
  expect(validatePodTemplate({ metadata, spec }, 'template').map(fieldErrorText)).toEqual([
    'template.spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match',
  ]);
});

it('refuses a resize that renames a container', () => {
  const old = podWith({});
  const next = resizeRules.prepare(podWith({ containers: [{ ...web, name: 'd' }] }), old);
  expect(resizeRules.validate!(next, old).map(fieldErrorText)).toEqual([
    'spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize',
  ]);
});

it('refuses ephemeral containers of a static pod', () => {
  const metadata = { annotations: { 'kubernetes.io/config.mirror': 'x' } };
  const old = podWith({ nodeName: 'n' }, metadata);
  expect(ephemeralContainersRules.validate!(old, old).map(fieldErrorText)).toEqual([
    '[]: Forbidden: static pods do not support ephemeral containers',
  ]);
});

describe('the status of a pod', () => {
  const old = podWith({
    containers: [{ ...web, resources: { requests: { 'x.example/gpu': '1' }, limits: { 'x.example/gpu': '1' } } }],
  });
  const claim = (mapping: object) => ({
    extendedResourceClaimStatus: { resourceClaimName: 'x', requestMappings: [mapping] },
  });
  const claimField = 'status.extendedResourceClaimStatus';
  const id = 'must be between 0 and 2147483647, inclusive';

  it.each<[object, string[]]>([
    [{ observedGeneration: -1 }, ['status.observedGeneration: Invalid value: -1: must be a non-negative integer']],
    [
      { conditions: [{ type: 'A', observedGeneration: -1 }] },
      ['status.conditions[0].observedGeneration: Invalid value: -1: must be a non-negative integer'],
    ],
    [{ ephemeralContainerStatuses: [{ name: 'a', restartCount: -1 }] }, []],
    [
      { initContainerStatuses: [{ name: 'a', user: { linux: { uid: -1, gid: 0, supplementalGroups: [-1] } } }] },
      [
        `status.initContainerStatuses[0].user.linux.uid: Invalid value: -1: ${id}`,
        `status.initContainerStatuses[0].user.linux.supplementalGroups[0]: Invalid value: -1: ${id}`,
      ],
    ],
    [
      { ephemeralContainerStatuses: [{ name: 'a', allocatedResourcesStatus: [{}] }] },
      [
        'status.ephemeralContainerStatuses[0].allocatedResourcesStatus: Forbidden: must not be specified in container status',
      ],
    ],
    [claim({ containerName: 'c', resourceName: 'x.example/gpu', requestName: 'r' }), []],
    [
      claim({ containerName: 'd', resourceName: 'x.example/gpu', requestName: 'r' }),
      [
        `${claimField}.requestMappings[0].containerName: Invalid value: "d": ` +
          'must match the name of an entry in spec.initContainers.name or spec.containers.name',
      ],
    ],
    [
      claim({ containerName: 'c', resourceName: 'x.example/nic', requestName: 'r.s' }),
      [
        `${claimField}.requestMappings[0].resourceName: Invalid value: "x.example/nic": must match the extended resource ` +
          'name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests',
        `${claimField}.requestName: Invalid value: "r.s": must not contain dots`,
      ],
    ],
    [
      { hostIP: '::1', hostIPs: [{ ip: '::1' }, { ip: '::1' }] },
      [
        'status.hostIPs: Invalid value: [{"IP":"::1"},{"IP":"::1"}]: may specify no more than one IP for each IP family',
      ],
    ],
    [
      { podIPs: [{ ip: '1.1.1.1' }, { ip: 'x' }] },
      [
        expect.stringContaining('status.podIPs[1]: Invalid value: "x"'),
        'status.podIPs: Internal error: failed to check for dual stack with error:invalid IP[1]: x',
        'status.podIPs: Invalid value: [{"IP":"1.1.1.1"},{"IP":"x"}]: may specify no more than one IP for each IP family',
      ],
    ],
  ])('%j', (status, errors) => {
    expect(validatePodStatus({ ...old, status }, old).map(fieldErrorText)).toEqual(errors);
  });

  it('has no Linux users on Windows', () => {
    const windows = podWith({ os: { name: 'windows' } });
    const status = { containerStatuses: [{ name: 'c', user: { linux: { uid: 0, gid: 0 } } }] };
    expect(validatePodStatus({ ...windows, status }, windows).map(fieldErrorText)).toEqual([
      'status.containerStatuses[0].user.linux: Forbidden: cannot be set for a windows pod',
    ]);
  });
});
