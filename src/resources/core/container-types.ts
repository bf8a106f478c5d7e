import { bool, field, int32, listOf, namedString, string, struct } from '../../schema/builders.ts';
import type { TypeOf } from '../../schema/type-of.ts';
import { EnvFromSource, EnvVar } from './environment-types.ts';
import { Lifecycle, Probe } from './probe-types.ts';
import { ResourceRequirements } from './resource-requirement-types.ts';
import { SecurityContext } from './security-context-types.ts';

export const Container = struct('core/v1.Container', containerFields);

export type Container = TypeOf<typeof Container>;

// Ephemeral containers have the fields of other containers, so that tools can treat all three kinds alike. Validation
// rejects the fields that do not apply.
function containerFields() {
  return {
    name: field(1, string, { required: true, always: true }),
    image: field(2, string),
    command: field(3, listOf(string), { list: 'atomic' }),
    args: field(4, listOf(string), { list: 'atomic' }),
    workingDir: field(5, string),
    ports: field(6, listOf(ContainerPort), {
      list: ['containerPort', 'protocol'],
      patch: { strategies: ['merge'], mergeKey: 'containerPort' },
    }),
    envFrom: field(19, listOf(EnvFromSource), { list: 'atomic' }),
    env: field(7, listOf(EnvVar), { list: ['name'], patch: { strategies: ['merge'], mergeKey: 'name' } }),
    resources: field(8, ResourceRequirements),
    resizePolicy: field(23, listOf(ContainerResizePolicy), { list: 'atomic' }),
    restartPolicy: field(24, namedString('core/v1.ContainerRestartPolicy'), { pointer: true }),
    restartPolicyRules: field(25, listOf(ContainerRestartRule), { list: 'atomic' }),
    volumeMounts: field(9, listOf(VolumeMount), {
      defaulted: true,
      list: ['mountPath'],
      patch: { strategies: ['merge'], mergeKey: 'mountPath' },
    }),
    volumeDevices: field(21, listOf(VolumeDevice), {
      list: ['devicePath'],
      patch: { strategies: ['merge'], mergeKey: 'devicePath' },
    }),
    livenessProbe: field(10, Probe, { pointer: true }),
    readinessProbe: field(11, Probe, { pointer: true }),
    startupProbe: field(22, Probe, { pointer: true }),
    lifecycle: field(12, Lifecycle, { pointer: true }),
    terminationMessagePath: field(13, string, { defaulted: true }),
    terminationMessagePolicy: field(20, namedString('core/v1.TerminationMessagePolicy'), {
      defaulted: true,
      enum: ['File', 'FallbackToLogsOnError'],
    }),
    imagePullPolicy: field(14, namedString('core/v1.PullPolicy'), {
      defaulted: true,
      enum: ['Always', 'Never', 'IfNotPresent'],
    }),
    securityContext: field(15, SecurityContext, { pointer: true, defaulted: true }),
    stdin: field(16, bool),
    stdinOnce: field(17, bool),
    tty: field(18, bool),
  };
}

export const ContainerPort = struct('core/v1.ContainerPort', () => ({
  name: field(1, string),
  hostPort: field(2, int32, { defaulted: true }),
  containerPort: field(3, int32, { required: true, always: true }),
  protocol: field(4, namedString('core/v1.Protocol'), { default: 'TCP', enum: ['SCTP', 'TCP', 'UDP'] }),
  hostIP: field(5, string),
}));

export type ContainerPort = TypeOf<typeof ContainerPort>;

export const ContainerResizePolicy = struct('core/v1.ContainerResizePolicy', () => ({
  resourceName: field(1, namedString('core/v1.ResourceName'), { required: true, always: true }),
  restartPolicy: field(2, namedString('core/v1.ResourceResizeRestartPolicy'), { required: true, always: true }),
}));

export const ContainerRestartRule = struct('core/v1.ContainerRestartRule', () => ({
  action: field(1, namedString('core/v1.ContainerRestartRuleAction'), { required: true }),
  exitCodes: field(2, ContainerRestartRuleOnExitCodes, { pointer: true }),
}));

export type ContainerRestartRule = TypeOf<typeof ContainerRestartRule>;

export const ContainerRestartRuleOnExitCodes = struct('core/v1.ContainerRestartRuleOnExitCodes', () => ({
  operator: field(1, namedString('core/v1.ContainerRestartRuleOnExitCodesOperator'), { required: true }),
  values: field(2, listOf(int32), { list: 'set' }),
}));

export const VolumeMount = struct('core/v1.VolumeMount', () => ({
  name: field(1, string, { required: true, always: true }),
  readOnly: field(2, bool),
  recursiveReadOnly: field(7, namedString('core/v1.RecursiveReadOnlyMode'), { pointer: true }),
  mountPath: field(3, string, { required: true, always: true }),
  subPath: field(4, string),
  mountPropagation: field(5, namedString('core/v1.MountPropagationMode'), {
    pointer: true,
    enum: ['Bidirectional', 'HostToContainer', 'None'],
  }),
  subPathExpr: field(6, string),
}));

export type VolumeMount = TypeOf<typeof VolumeMount>;

export const VolumeDevice = struct('core/v1.VolumeDevice', () => ({
  name: field(1, string, { required: true, always: true }),
  devicePath: field(2, string, { required: true, always: true }),
}));

export type VolumeDevice = TypeOf<typeof VolumeDevice>;

export const EphemeralContainer = struct('core/v1.EphemeralContainer', () => ({
  ephemeralContainerCommon: field(1, EphemeralContainerCommon, { inline: true }),
  targetContainerName: field(2, string),
}));

export const EphemeralContainerCommon = struct('core/v1.EphemeralContainerCommon', containerFields);
