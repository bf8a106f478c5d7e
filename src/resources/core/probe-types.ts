import { field, int32, int64, intOrString, listOf, namedString, string, struct } from '../../schema/builders.ts';
import type { TypeOf } from '../../schema/type-of.ts';
import { stopSignals } from './stop-signals.ts';

// Probes and lifecycle hooks of a container.

export const Probe = struct('core/v1.Probe', () => ({
  handler: field(1, ProbeHandler, { inline: true }),
  initialDelaySeconds: field(2, int32),
  timeoutSeconds: field(3, int32, { defaulted: true }),
  periodSeconds: field(4, int32, { defaulted: true }),
  successThreshold: field(5, int32, { defaulted: true }),
  failureThreshold: field(6, int32, { defaulted: true }),
  terminationGracePeriodSeconds: field(7, int64, { pointer: true }),
}));

export type Probe = TypeOf<typeof Probe>;

export const ProbeHandler = struct('core/v1.ProbeHandler', () => ({
  exec: field(1, ExecAction, { pointer: true }),
  httpGet: field(2, HTTPGetAction, { pointer: true }),
  tcpSocket: field(3, TCPSocketAction, { pointer: true }),
  grpc: field(4, GRPCAction, { pointer: true }),
}));

export const ExecAction = struct('core/v1.ExecAction', () => ({
  command: field(1, listOf(string), { list: 'atomic' }),
}));

export const HTTPGetAction = struct('core/v1.HTTPGetAction', () => ({
  path: field(1, string, { defaulted: true }),
  port: field(2, intOrString, { required: true, always: true }),
  host: field(3, string),
  scheme: field(4, namedString('core/v1.URIScheme'), { defaulted: true, enum: ['HTTP', 'HTTPS'] }),
  httpHeaders: field(5, listOf(HTTPHeader), { list: 'atomic' }),
}));

export type HTTPGetAction = TypeOf<typeof HTTPGetAction>;

export const HTTPHeader = struct('core/v1.HTTPHeader', () => ({
  name: field(1, string, { required: true, always: true }),
  value: field(2, string, { required: true, always: true }),
}));

export const TCPSocketAction = struct('core/v1.TCPSocketAction', () => ({
  port: field(1, intOrString, { required: true, always: true }),
  host: field(2, string),
}));

export const GRPCAction = struct('core/v1.GRPCAction', () => ({
  port: field(1, int32, { required: true, always: true }),
  service: field(2, string, { pointer: true, always: true }),
}));

export const Lifecycle = struct('core/v1.Lifecycle', () => ({
  postStart: field(1, LifecycleHandler, { pointer: true }),
  preStop: field(2, LifecycleHandler, { pointer: true }),
  stopSignal: field(3, namedString('core/v1.Signal'), { pointer: true, enum: stopSignals }),
}));

export type Lifecycle = TypeOf<typeof Lifecycle>;

export const LifecycleHandler = struct('core/v1.LifecycleHandler', () => ({
  exec: field(1, ExecAction, { pointer: true }),
  httpGet: field(2, HTTPGetAction, { pointer: true }),
  tcpSocket: field(3, TCPSocketAction, { pointer: true }),
  sleep: field(4, SleepAction, { pointer: true }),
}));

export const SleepAction = struct('core/v1.SleepAction', () => ({
  seconds: field(1, int64, { required: true, always: true }),
}));

/** What a probe or a hook does. Each has some of these fields. */
export type Handler = TypeOf<typeof ProbeHandler> & TypeOf<typeof LifecycleHandler>;
