import { describe, expect, it } from 'vitest';
import { builtInResources } from './index.ts';

describe('rules of the built-in resources', () => {
  const kindsWith = (holds: (definition: (typeof builtInResources)[number]) => boolean) =>
    [...new Set(builtInResources.filter(holds).map(({ kind }) => kind))].sort();

  it('name the types with a special name rule', () => {
    expect(kindsWith(({ rules }) => rules.name === 'dnsLabel')).toEqual(['Namespace', 'Service', 'StatefulSet']);
    expect(kindsWith(({ rules }) => rules.name === 'pathSegment')).toEqual([
      'APIService',
      'CertificateSigningRequest',
      'ClusterRole',
      'ClusterRoleBinding',
      'Event',
      'PodDisruptionBudget',
      'Role',
      'RoleBinding',
    ]);
    expect(find('events.k8s.io', 'v1', 'events')?.rules.name).toBe('dnsSubdomain');
  });

  it('name the types whose update needs a resource version', () => {
    expect(kindsWith(({ rules }) => !rules.unconditionalUpdate)).toEqual([
      'APIService',
      'CSIDriver',
      'CSINode',
      'CSIStorageCapacity',
      'CustomResourceDefinition',
      'Lease',
      'MutatingAdmissionPolicy',
      'MutatingAdmissionPolicyBinding',
      'MutatingWebhookConfiguration',
      'PodDisruptionBudget',
      'RuntimeClass',
      'ValidatingAdmissionPolicy',
      'ValidatingAdmissionPolicyBinding',
      'ValidatingWebhookConfiguration',
      'VolumeAttachment',
    ]);
  });

  it('name the types that return the object on deletion', () => {
    expect(kindsWith(({ rules }) => rules.returnsDeleted)).toEqual([
      'CSIDriver',
      'CSINode',
      'DeviceClass',
      'Namespace',
      'PersistentVolume',
      'PersistentVolumeClaim',
      'Pod',
      'PodTemplate',
      'ResourceClaim',
      'ResourceClaimTemplate',
      'ResourceQuota',
      'ResourceSlice',
      'Service',
      'ServiceAccount',
      'StorageClass',
      'VolumeAttachment',
      'VolumeAttributesClass',
    ]);
  });

  it('name the types that count generations', () => {
    expect(kindsWith(({ rules }) => rules.generation)).toEqual([
      'CronJob',
      'CustomResourceDefinition',
      'DaemonSet',
      'Deployment',
      'DeviceClass',
      'EndpointSlice',
      'FlowSchema',
      'Ingress',
      'IngressClass',
      'Job',
      'MutatingAdmissionPolicy',
      'MutatingAdmissionPolicyBinding',
      'MutatingWebhookConfiguration',
      'NetworkPolicy',
      'Pod',
      'PodDisruptionBudget',
      'PodTemplate',
      'PriorityLevelConfiguration',
      'ReplicaSet',
      'ReplicationController',
      'ResourceSlice',
      'StatefulSet',
      'ValidatingAdmissionPolicy',
      'ValidatingAdmissionPolicyBinding',
      'ValidatingWebhookConfiguration',
    ]);
  });

  it('name the types whose generation counts empty lists', () => {
    expect(kindsWith(({ rules }) => rules.generationCountsEmpty === true)).toEqual([
      'MutatingWebhookConfiguration',
      'NetworkPolicy',
      'ValidatingWebhookConfiguration',
    ]);
  });

  it('name the types that do not select by namespace', () => {
    expect(kindsWith(({ rules }) => rules.fieldSelectors?.metadataNamespace === false)).toEqual([
      'CertificateSigningRequest',
      'Namespace',
      'Node',
      'ResourceSlice',
    ]);
  });

  it.each([
    ['', 'pods', 'spec.nodeName', { spec: { nodeName: 'n' } }, 'n'],
    ['', 'pods', 'spec.host', { spec: { nodeName: 'n' } }, 'n'],
    ['', 'pods', 'spec.nodeName', { spec: {} }, ''],
    ['', 'pods', 'spec.hostNetwork', { spec: {} }, 'false'],
    ['', 'pods', 'spec.hostNetwork', { spec: { hostNetwork: true } }, 'true'],
    ['', 'pods', 'status.phase', {}, ''],
    ['', 'pods', 'status.podIPs', { status: { podIPs: [{ ip: '10.1.1.1' }] } }, ''],
    ['', 'pods', 'status.podIP', { status: { podIP: '10.1.1.1' } }, '10.1.1.1'],
    ['', 'pods', 'status.podIP', { status: { podIP: '10.1.1.1', podIPs: [{ ip: '10.1.1.2' }] } }, '10.1.1.1'],
    ['', 'pods', 'status.podIP', { status: { podIPs: [{ ip: '10.1.1.2' }, { ip: 'fd00::2' }] } }, '10.1.1.2'],
    ['', 'pods', 'status.podIP', { status: { podIPs: [] } }, ''],
    ['', 'nodes', 'spec.unschedulable', {}, 'false'],
    ['', 'nodes', 'spec.unschedulable', { spec: { unschedulable: true } }, 'true'],
    ['', 'namespaces', 'status.phase', { status: { phase: 'Active' } }, 'Active'],
    ['', 'services', 'spec.clusterIP', { spec: { clusterIP: 'None' } }, 'None'],
    ['', 'replicationcontrollers', 'status.replicas', {}, '0'],
    ['', 'secrets', 'type', { type: 'Opaque' }, 'Opaque'],
    ['', 'events', 'source', { source: { component: 'c' }, reportingComponent: 'r' }, 'c'],
    ['', 'events', 'source', { source: {}, reportingComponent: 'r' }, 'r'],
    ['', 'events', 'involvedObject.name', { involvedObject: { name: 'p' } }, 'p'],
    ['events.k8s.io', 'events', 'regarding.name', { regarding: { name: 'p' } }, 'p'],
    ['batch', 'jobs', 'status.successful', { status: { succeeded: 2 } }, '2'],
    ['batch', 'jobs', 'status.successful', { status: {} }, '0'],
    ['certificates.k8s.io', 'certificatesigningrequests', 'spec.signerName', { spec: { signerName: 's' } }, 's'],
    ['resource.k8s.io', 'resourceslices', 'spec.driver', { spec: { driver: 'd' } }, 'd'],
  ])('select "%s" %s by %s of %j as "%s"', (group, resource, label, object, value) => {
    const fieldOfLabel = find(group, 'v1', resource)?.rules.fieldSelectors?.fields[label];
    expect(fieldOfLabel?.({ metadata: {}, ...object })).toBe(value);
  });
});

function find(group: string, version: string, resource: string) {
  return builtInResources.find(
    (definition) => definition.group === group && definition.version === version && definition.resource === resource,
  );
}
