import { bool, bytes, field, int32, int64, listOf, string, struct, time } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import { PodStatus } from './pod-status-types.ts';
import { ObjectReference } from './reference-types.ts';

// Kinds without a resource: the options of connect subresources and a few other types.

export const PodAttachOptions = struct('core/v1.PodAttachOptions', () => ({
  stdin: field(1, bool),
  stdout: field(2, bool),
  stderr: field(3, bool),
  tty: field(4, bool),
  container: field(5, string),
}));

export const PodExecOptions = struct('core/v1.PodExecOptions', () => ({
  stdin: field(1, bool),
  stdout: field(2, bool),
  stderr: field(3, bool),
  tty: field(4, bool),
  container: field(5, string),
  command: field(6, listOf(string), { always: true }),
}));

export const PodPortForwardOptions = struct('core/v1.PodPortForwardOptions', () => ({
  ports: field(1, listOf(int32)),
}));

export const PodProxyOptions = struct('core/v1.PodProxyOptions', () => ({
  path: field(1, string),
}));

export const PodLogOptions = struct('core/v1.PodLogOptions', () => ({
  container: field(1, string),
  follow: field(2, bool),
  previous: field(3, bool),
  sinceSeconds: field(4, int64, { pointer: true }),
  sinceTime: field(5, time, { pointer: true }),
  timestamps: field(6, bool),
  tailLines: field(7, int64, { pointer: true }),
  limitBytes: field(8, int64, { pointer: true }),
  insecureSkipTLSVerifyBackend: field(9, bool),
  stream: field(10, string, { pointer: true }),
}));

export const PodStatusResult = struct('core/v1.PodStatusResult', () => ({
  metadata: field(1, ObjectMeta),
  status: field(2, PodStatus),
}));

export const NodeProxyOptions = struct('core/v1.NodeProxyOptions', () => ({
  path: field(1, string),
}));

export const ServiceProxyOptions = struct('core/v1.ServiceProxyOptions', () => ({
  path: field(1, string),
}));

export const SerializedReference = struct('core/v1.SerializedReference', () => ({
  reference: field(1, ObjectReference),
}));

export const RangeAllocation = struct('core/v1.RangeAllocation', () => ({
  metadata: field(1, ObjectMeta),
  range: field(2, string, { always: true }),
  data: field(3, bytes, { always: true }),
}));
