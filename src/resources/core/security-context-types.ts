import { bool, field, int64, listOf, namedString, string, struct } from '../../schema/builders.ts';
import type { TypeOf } from '../../schema/type-of.ts';

export const PodSecurityContext = struct('core/v1.PodSecurityContext', () => ({
  seLinuxOptions: field(1, SELinuxOptions, { pointer: true }),
  windowsOptions: field(8, WindowsSecurityContextOptions, { pointer: true }),
  runAsUser: field(2, int64, { pointer: true }),
  runAsGroup: field(6, int64, { pointer: true }),
  runAsNonRoot: field(3, bool, { pointer: true }),
  supplementalGroups: field(4, listOf(int64), { list: 'atomic' }),
  supplementalGroupsPolicy: field(12, namedString('core/v1.SupplementalGroupsPolicy'), {
    pointer: true,
    enum: ['Merge', 'Strict'],
  }),
  fsGroup: field(5, int64, { pointer: true }),
  sysctls: field(7, listOf(Sysctl), { list: 'atomic' }),
  fsGroupChangePolicy: field(9, namedString('core/v1.PodFSGroupChangePolicy'), {
    pointer: true,
    enum: ['Always', 'OnRootMismatch'],
  }),
  seccompProfile: field(10, SeccompProfile, { pointer: true }),
  appArmorProfile: field(11, AppArmorProfile, { pointer: true }),
  seLinuxChangePolicy: field(13, namedString('core/v1.PodSELinuxChangePolicy'), { pointer: true }),
}));

export type PodSecurityContext = TypeOf<typeof PodSecurityContext>;

export const SELinuxOptions = struct('core/v1.SELinuxOptions', () => ({
  user: field(1, string),
  role: field(2, string),
  type: field(3, string),
  level: field(4, string),
}));

export const WindowsSecurityContextOptions = struct('core/v1.WindowsSecurityContextOptions', () => ({
  gmsaCredentialSpecName: field(1, string, { pointer: true }),
  gmsaCredentialSpec: field(2, string, { pointer: true }),
  runAsUserName: field(3, string, { pointer: true }),
  hostProcess: field(4, bool, { pointer: true }),
}));

export type WindowsSecurityContextOptions = TypeOf<typeof WindowsSecurityContextOptions>;

export const Sysctl = struct('core/v1.Sysctl', () => ({
  name: field(1, string, { required: true, always: true }),
  value: field(2, string, { required: true, always: true }),
}));

export const SeccompProfile = struct(
  'core/v1.SeccompProfile',
  () => ({
    type: field(1, namedString('core/v1.SeccompProfileType'), {
      required: true,
      always: true,
      enum: ['Localhost', 'RuntimeDefault', 'Unconfined'],
    }),
    localhostProfile: field(2, string, { pointer: true }),
  }),
  { unions: [{ discriminator: 'type', fields: { localhostProfile: 'LocalhostProfile' } }] },
);

export type SeccompProfile = TypeOf<typeof SeccompProfile>;

export const AppArmorProfile = struct(
  'core/v1.AppArmorProfile',
  () => ({
    type: field(1, namedString('core/v1.AppArmorProfileType'), {
      required: true,
      always: true,
      enum: ['Unconfined', 'RuntimeDefault', 'Localhost'],
    }),
    localhostProfile: field(2, string, { pointer: true }),
  }),
  { unions: [{ discriminator: 'type', fields: { localhostProfile: 'LocalhostProfile' } }] },
);

export const SecurityContext = struct('core/v1.SecurityContext', () => ({
  capabilities: field(1, Capabilities, { pointer: true }),
  privileged: field(2, bool, { pointer: true }),
  seLinuxOptions: field(3, SELinuxOptions, { pointer: true }),
  windowsOptions: field(10, WindowsSecurityContextOptions, { pointer: true }),
  runAsUser: field(4, int64, { pointer: true }),
  runAsGroup: field(8, int64, { pointer: true }),
  runAsNonRoot: field(5, bool, { pointer: true }),
  readOnlyRootFilesystem: field(6, bool, { pointer: true }),
  allowPrivilegeEscalation: field(7, bool, { pointer: true }),
  procMount: field(9, namedString('core/v1.ProcMountType'), { pointer: true, enum: ['Default', 'Unmasked'] }),
  seccompProfile: field(11, SeccompProfile, { pointer: true }),
  appArmorProfile: field(12, AppArmorProfile, { pointer: true }),
}));

export type SecurityContext = TypeOf<typeof SecurityContext>;

export const Capabilities = struct('core/v1.Capabilities', () => ({
  add: field(1, listOf(namedString('core/v1.Capability')), { list: 'atomic' }),
  drop: field(2, listOf(namedString('core/v1.Capability')), { list: 'atomic' }),
}));
