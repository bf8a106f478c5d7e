import { type ColumnDefinition, column, nameColumn } from '../../../meta/table-columns.ts';
import { ageColumn } from './column.ts';

export const storageClassDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Provisioner', 'Who creates the volumes.'),
  column('ReclaimPolicy', 'What happens to a volume whose claim is gone.'),
  column('VolumeBindingMode', 'When volumes are created and bound.'),
  column('AllowVolumeExpansion', 'Whether volumes can be enlarged.'),
  ageColumn,
];

export const csiDriverDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('AttachRequired', 'Whether volumes are attached before they are mounted.', { type: 'boolean' }),
  column('PodInfoOnMount', 'Whether the driver gets name, namespace and UID of the pod.', { type: 'boolean' }),
  column('StorageCapacity', 'Whether the scheduler considers the free capacity.', { type: 'boolean' }),
  column('TokenRequests', 'Audiences of the tokens that the driver gets.'),
  column('RequiresRepublish', 'Whether the driver is called again from time to time.', { type: 'boolean' }),
  column('Modes', 'Kinds of volumes that the driver supports.'),
  ageColumn,
];

export const csiNodeDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Drivers', 'Number of CSI drivers on the node.', { type: 'integer' }),
  ageColumn,
];

export const volumeAttachmentDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Attacher', 'The driver that attaches the volume.', { format: 'name' }),
  column('PV', 'The persistent volume.'),
  column('Node', 'The node.'),
  column('Attached', 'Whether it is attached.', { type: 'boolean' }),
  ageColumn,
];

export const volumeAttributesClassDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('DriverName', 'The CSI driver.'),
  ageColumn,
];
