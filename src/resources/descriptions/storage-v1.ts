import type { TypeTexts } from './type-texts.ts';

export const storageV1: TypeTexts = {
  CSIDriver: {
    '': 'Tells the cluster about a CSI driver. Its name is that of the driver.',
    spec: 'Properties of the driver.',
  },
  CSIDriverSpec: {
    '': 'Properties of a CSI driver.',
    attachRequired:
      'Whether volumes must be attached to a node before they are mounted. Default true. It cannot be changed.',
    podInfoOnMount:
      'Whether the driver gets the name, namespace, UID and service account of the pod when it mounts a volume. ' +
      'Default false.',
    volumeLifecycleModes:
      'Kinds of volumes that the driver supports: Persistent, Ephemeral (inline in pods). Default Persistent. It ' +
      'cannot be changed.',
    storageCapacity:
      'Whether the scheduler takes CSIStorageCapacity objects of the driver into account. Default false.',
    fsGroupPolicy:
      'When ownership of a volume is changed to `fsGroup`: ReadWriteOnceWithFSType, File (always) or None. Default ' +
      'ReadWriteOnceWithFSType.',
    tokenRequests: 'Service account tokens of the pod that the driver gets when it mounts a volume.',
    requiresRepublish:
      'Call the driver again from time to time, so that it can refresh a mounted volume. Default false.',
    seLinuxMount: 'Whether the driver can mount with an SELinux context. Default false.',
    nodeAllocatableUpdatePeriodSeconds:
      'Seconds between updates of how many volumes a node can take, at least 10. Absent: only at registration.',
    serviceAccountTokenInSecrets:
      'True passes tokens to the driver among the secrets instead of the volume context. Only with `tokenRequests`. ' +
      'Default false.',
    preventPodSchedulingIfMissing:
      'Do not schedule pods with volumes of the driver on nodes on which it is not registered. Default false.',
  },
  CSINode: {
    '': 'The CSI drivers of a node. It has the name of the node.',
    spec: 'The drivers.',
  },
  CSINodeDriver: {
    '': 'A CSI driver on a node.',
    name: 'Name of the driver.',
    nodeID: 'ID of the node for the driver.',
    topologyKeys: 'Labels of the node by which the driver describes where volumes can be reached.',
    allocatable: 'How many volumes the node can take.',
  },
  CSINodeSpec: {
    '': 'The CSI drivers of a node.',
    drivers: 'The drivers. May be empty.',
  },
  CSIStorageCapacity: {
    '': 'How much storage of a class is left in a part of the cluster. CSI drivers publish it for the scheduler.',
    nodeTopology: 'Nodes from which the storage can be reached. Absent: none. Empty: all.',
    storageClassName: 'The storage class. It cannot be changed.',
    capacity: 'How much is left. Absent: not known.',
    maximumVolumeSize: 'Size of the largest volume that can be created. Absent: not known.',
  },
  StorageClass: {
    '': 'A kind of storage, and how volumes of it are created. An annotation can make it the default.',
    provisioner: 'Who creates the volumes, mostly the name of a CSI driver.',
    parameters: 'Settings for the provisioner. They cannot be changed.',
    reclaimPolicy: 'Reclaim policy of the created volumes: Delete or Retain. Default Delete.',
    mountOptions: 'Options with which volumes are mounted. They are not checked.',
    allowVolumeExpansion: 'Whether claims of the class can be enlarged.',
    volumeBindingMode:
      'Immediate creates and binds the volume with the claim, WaitForFirstConsumer with the first pod that uses it. ' +
      'Default Immediate.',
    allowedTopologies: 'Where volumes may be created. Default: anywhere.',
  },
  TokenRequest: {
    '': 'A service account token for a CSI driver.',
    audience: 'Intended audience of the token. Empty: the API server.',
    expirationSeconds: 'Lifetime in seconds, at least 600. Default: what the API server decides.',
  },
  VolumeAttachment: {
    '': 'Asks to attach a volume to a node, and says whether that is done.',
    spec: 'The volume and the node. It cannot be changed.',
    status: 'Whether it is attached.',
  },
  VolumeAttachmentSource: {
    '': 'The volume to attach. Exactly one field is set.',
    persistentVolumeName: 'Name of a persistent volume.',
    inlineVolumeSpec: 'The volume itself, for inline volumes that were migrated to CSI.',
  },
  VolumeAttachmentSpec: {
    '': 'A volume, a node, and who attaches one to the other.',
    attacher: 'The CSI driver that attaches the volume.',
    source: 'The volume.',
    nodeName: 'The node.',
  },
  VolumeAttachmentStatus: {
    '': 'The state of an attachment.',
    attached: 'Whether the volume is attached.',
    attachmentMetadata: 'What the driver returned when it attached the volume, for the mount.',
    attachError: 'The last error of attaching.',
    detachError: 'The last error of detaching.',
  },
  VolumeAttributesClass: {
    '': 'Changeable properties of volumes, such as their speed.',
    driverName: 'The CSI driver. It cannot be changed.',
    parameters: 'Settings for the driver. They cannot be changed; use another class instead.',
  },
  VolumeError: {
    '': 'An error of a volume operation.',
    time: 'When it happened.',
    message: 'What happened. Without sensitive data.',
    errorCode: 'The gRPC code of the error.',
  },
  VolumeNodeResources: {
    '': 'How many volumes a node can take.',
    count: 'The greatest number of volumes of the driver. Absent: not limited.',
  },
};
