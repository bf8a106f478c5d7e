import { type ColumnDefinition, column, nameColumn, nameText } from '../../../meta/table-columns.ts';
import { ageColumn, containersColumn, containersText, imagesColumn, imagesText } from './column.ts';

export const podDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Ready', 'Ready and total number of containers.'),
  column('Status', 'State of the pod as one word.'),
  column('Restarts', 'How often containers have been restarted, and when last.'),
  ageColumn,
  column('IP', 'Address of the pod.', { priority: 1 }),
  column('Node', 'The node that runs it.', { priority: 1 }),
  column('Nominated Node', 'The node that the scheduler intends for it.', { priority: 1 }),
  column('Readiness Gates', 'Passed and total number of readiness gates.', { priority: 1 }),
];

export const nodeDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Status', 'Whether the node is ready, and takes new pods.'),
  column('Roles', 'Roles of the node, by its labels.'),
  ageColumn,
  column('Version', 'Version of the kubelet.'),
  column('Internal-IP', 'Address within the cluster.', { priority: 1 }),
  column('External-IP', 'Address from outside.', { priority: 1 }),
  column('OS-Image', 'The operating system.', { priority: 1 }),
  column('Kernel-Version', 'Version of the kernel.', { priority: 1 }),
  column('Container-Runtime', 'Name and version of the container runtime.', { priority: 1 }),
];

export const serviceDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Type', 'How the service is reached.'),
  column('Cluster-IP', 'Address within the cluster.'),
  column('External-IP', 'Addresses from outside.'),
  column('Port(s)', 'Ports of the service, with node ports.'),
  ageColumn,
  column('Selector', 'Labels of the pods behind it.', { priority: 1 }),
];

export const replicationControllerDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Desired', 'Desired number of pods.', { type: 'integer' }),
  column('Current', 'Current number of pods.', { type: 'integer' }),
  column('Ready', 'Number of pods that are ready.', { type: 'integer' }),
  ageColumn,
  containersColumn,
  imagesColumn,
  column('Selector', 'Labels of the pods.', { priority: 1 }),
];

export const configMapDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Data', 'Number of entries.'),
  ageColumn,
];

export const secretDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Type', 'What the secret is for.'),
  column('Data', 'Number of entries.'),
  ageColumn,
];

export const namespaceDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Status', 'Active or Terminating.'),
  ageColumn,
];

export const eventDefinitions: readonly ColumnDefinition[] = [
  column('Last Seen', 'When it last happened.'),
  column('Type', 'Normal or Warning.'),
  column('Reason', 'Why it happened, as one word.'),
  column('Object', 'What it is about.'),
  column('Subobject', 'The part of the object that it is about.', { priority: 1 }),
  column('Source', 'Who reports it.', { priority: 1 }),
  column('Message', 'What happened.'),
  column('First Seen', 'When it was first seen.', { priority: 1 }),
  column('Count', 'How often it has happened.', { priority: 1 }),
  column('Name', nameText, { format: 'name', priority: 1 }),
];

export const endpointsDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Endpoints', 'Addresses with ports that are ready.'),
  ageColumn,
];

export const persistentVolumeDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Capacity', 'Size of the volume.'),
  column('Access Modes', 'How it can be used.'),
  column('Reclaim Policy', 'What happens when its claim is gone.'),
  column('Status', 'Whether it is in use.'),
  column('Claim', 'The claim that it is bound to.'),
  column('StorageClass', 'Class of the storage.'),
  column('VolumeAttributesClass', 'Class of its changeable properties.'),
  column('Reason', 'Why it has failed, as one word.'),
  ageColumn,
  column('VolumeMode', 'Filesystem or Block.', { priority: 1 }),
];

export const persistentVolumeClaimDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Status', 'Whether it is bound.'),
  column('Volume', 'The volume that it is bound to.'),
  column('Capacity', 'Size of the volume.'),
  column('Access Modes', 'How the volume can be used.'),
  column('StorageClass', 'Class of the storage.'),
  column('VolumeAttributesClass', 'Class of the changeable properties.'),
  ageColumn,
  column('VolumeMode', 'Filesystem or Block.', { priority: 1 }),
];

export const resourceQuotaDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Request', 'Used and allowed amount of everything but limits.'),
  column('Limit', 'Used and allowed amount of limits.'),
  ageColumn,
];

export const podTemplateDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Containers', containersText),
  column('Images', imagesText),
  column('Pod Labels', 'Labels of the pods.'),
];

export const componentStatusDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Status', 'Whether the component is healthy.'),
  column('Message', 'Message of the component.'),
  column('Error', 'Why its health is not known.'),
];
