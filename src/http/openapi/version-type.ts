import { field, string, struct } from '../../schema/builders.ts';

const required = field(0, string, { required: true, always: true });
const optional = field(0, string);

/** The document at `/version`. It is never encoded in protobuf, so it has no field numbers. */
export const VersionInfo = struct('version/Info', () => ({
  major: required,
  minor: required,
  emulationMajor: optional,
  emulationMinor: optional,
  minCompatibilityMajor: optional,
  minCompatibilityMinor: optional,
  gitVersion: required,
  gitCommit: required,
  gitTreeState: required,
  buildDate: required,
  goVersion: required,
  compiler: required,
  platform: required,
}));
