import {
  bool,
  field,
  int32,
  int64,
  listOf,
  mapOf,
  namedString,
  quantity,
  string,
  struct,
  time,
} from '../../schema/builders.ts';
import type { TypeOf } from '../../schema/type-of.ts';
import { ResourceRequirements } from './resource-requirement-types.ts';
import { stopSignals } from './stop-signals.ts';

export const ContainerStatus = struct('core/v1.ContainerStatus', () => ({
  name: field(1, string, { required: true, always: true }),
  state: field(2, ContainerState),
  lastState: field(3, ContainerState),
  ready: field(4, bool, { required: true, always: true }),
  restartCount: field(5, int32, { required: true, always: true }),
  image: field(6, string, { required: true, always: true }),
  imageID: field(7, string, { required: true, always: true }),
  containerID: field(8, string),
  started: field(9, bool, { pointer: true }),
  allocatedResources: field(10, mapOf(quantity)),
  resources: field(11, ResourceRequirements, { pointer: true }),
  volumeMounts: field(12, listOf(VolumeMountStatus), {
    list: ['mountPath'],
    patch: { strategies: ['merge'], mergeKey: 'mountPath' },
  }),
  user: field(13, ContainerUser, { pointer: true }),
  allocatedResourcesStatus: field(14, listOf(ResourceStatus), {
    list: ['name'],
    patch: { strategies: ['merge'], mergeKey: 'name' },
  }),
  stopSignal: field(15, namedString('core/v1.Signal'), { pointer: true, enum: stopSignals }),
}));

export type ContainerStatus = TypeOf<typeof ContainerStatus>;

export const ContainerState = struct('core/v1.ContainerState', () => ({
  waiting: field(1, ContainerStateWaiting, { pointer: true }),
  running: field(2, ContainerStateRunning, { pointer: true }),
  terminated: field(3, ContainerStateTerminated, { pointer: true }),
}));

export const ContainerStateWaiting = struct('core/v1.ContainerStateWaiting', () => ({
  reason: field(1, string),
  message: field(2, string),
}));

export const ContainerStateRunning = struct('core/v1.ContainerStateRunning', () => ({
  startedAt: field(1, time),
}));

export const ContainerStateTerminated = struct('core/v1.ContainerStateTerminated', () => ({
  exitCode: field(1, int32, { required: true, always: true }),
  signal: field(2, int32),
  reason: field(3, string),
  message: field(4, string),
  startedAt: field(5, time),
  finishedAt: field(6, time),
  containerID: field(7, string),
}));

export type ContainerStateTerminated = TypeOf<typeof ContainerStateTerminated>;

export const VolumeMountStatus = struct('core/v1.VolumeMountStatus', () => ({
  name: field(1, string, { required: true, always: true }),
  mountPath: field(2, string, { required: true, always: true }),
  readOnly: field(3, bool),
  recursiveReadOnly: field(4, namedString('core/v1.RecursiveReadOnlyMode'), { pointer: true }),
  volumeStatus: field(5, VolumeStatus, { pointer: true }),
}));

export const VolumeStatus = struct('core/v1.VolumeStatus', () => ({
  image: field(1, ImageVolumeStatus, { pointer: true }),
}));

export const ImageVolumeStatus = struct('core/v1.ImageVolumeStatus', () => ({
  imageRef: field(1, string, { required: true }),
}));

export const ContainerUser = struct('core/v1.ContainerUser', () => ({
  linux: field(1, LinuxContainerUser, { pointer: true }),
}));

export const LinuxContainerUser = struct('core/v1.LinuxContainerUser', () => ({
  uid: field(1, int64, { required: true, always: true }),
  gid: field(2, int64, { required: true, always: true }),
  supplementalGroups: field(3, listOf(int64), { list: 'atomic' }),
}));

export type LinuxContainerUser = TypeOf<typeof LinuxContainerUser>;

export const ResourceStatus = struct('core/v1.ResourceStatus', () => ({
  name: field(1, namedString('core/v1.ResourceName'), { required: true, always: true }),
  resources: field(2, listOf(ResourceHealth), { list: ['resourceID'] }),
}));

export const ResourceHealth = struct('core/v1.ResourceHealth', () => ({
  resourceID: field(1, namedString('core/v1.ResourceID'), { required: true, always: true }),
  health: field(2, namedString('core/v1.ResourceHealthStatus')),
  message: field(6, string, { pointer: true }),
}));
