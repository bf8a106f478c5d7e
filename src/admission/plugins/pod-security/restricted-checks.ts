import { addedCapabilities, hasSeccompProfile, seccompProfile } from './baseline-checks.ts';
import type { SecuredContainer } from './secured-pod.ts';
import { distinct, namesOf, type SecurityCheck, subjectsSetting, useVerb, withNames } from './violation.ts';

/** The check does not apply to Windows pods. */
export function unlessWindows(check: SecurityCheck): SecurityCheck {
  return (pod) => (pod.spec.os?.name === 'windows' ? undefined : check(pod));
}

export const allowPrivilegeEscalation: SecurityCheck = ({ containers }) => {
  const found = containers.filter(({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (found.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${withNames('container', namesOf(found))} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

export const droppedCapabilities: SecurityCheck = ({ containers }) => {
  const keeping = containers.filter(({ securityContext }) => !securityContext?.capabilities?.drop?.includes('ALL'));
  const added = addedCapabilities(containers, (capability) => capability === 'NET_BIND_SERVICE');
  const subject = withNames('container', namesOf(keeping));
  const details = [
    ...(keeping.length > 0 ? [`${subject} must set securityContext.capabilities.drop=["ALL"]`] : []),
    ...(added === undefined ? [] : [added]),
  ];
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
};

const allowedVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
];
const otherVolumes = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
];

export const restrictedVolumes: SecurityCheck = ({ spec }) => {
  const found = (spec.volumes ?? []).filter((volume) => allowedVolumes.every((type) => volume[type] === undefined));
  if (found.length === 0) return undefined;
  const names = found.map(({ name = '' }) => name);
  const types = found.map((volume) => otherVolumes.find((type) => volume[type] !== undefined) ?? 'unknown');
  return {
    reason: 'restricted volume types',
    detail: `${withNames('volume', names)} ${useVerb(names)} ${withNames('restricted volume type', distinct(types))}`,
  };
};

export const runAsNonRoot: SecurityCheck = (pod) => {
  const reason = 'runAsNonRoot != true';
  const subject = subjectsSetting(pod, (context) => context.runAsNonRoot === false);
  if (subject !== '') return { reason, detail: `${subject} must not set securityContext.runAsNonRoot=false` };
  if (pod.spec.securityContext?.runAsNonRoot === true) return undefined;
  const unset = pod.containers.filter(({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  return unset.length === 0 ? undefined : { reason, detail: wanted(unset, 'runAsNonRoot=true') };
};

function wanted(containers: readonly SecuredContainer[], what: string): string {
  return `pod or ${withNames('container', namesOf(containers))} must set securityContext.${what}`;
}

export const runAsUser: SecurityCheck = (pod) => {
  const subject = subjectsSetting(pod, (context) => context.runAsUser === 0);
  return subject === '' ? undefined : { reason: 'runAsUser=0', detail: `${subject} must not set runAsUser=0` };
};

export const requiredSeccompProfile: SecurityCheck = (pod) => {
  const wrong = seccompProfile(pod);
  const { securityContext = {} } = pod.spec;
  if (wrong !== undefined || hasSeccompProfile(securityContext)) return wrong;
  const unset = pod.containers.filter(({ securityContext: own }) => own?.seccompProfile === undefined);
  if (unset.length === 0) return undefined;
  const detail = wanted(unset, 'seccompProfile.type to "RuntimeDefault" or "Localhost"');
  return { reason: 'seccompProfile', detail };
};
