/** The Kubernetes release whose API is served. */
const emulated = { major: '1', minor: '36', compatibleMinor: '35' } as const;

/** The build information of the program. */
export interface BuildInfo {
  /** The version of the package, such as `0.1.0`. */
  readonly packageVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: 'clean' | 'dirty' | '';
  /** RFC 3339. */
  readonly buildDate: string;
}

/** The document at `/version`. Clients parse `gitVersion` as a semantic version of Kubernetes. */
export function versionInfo({ packageVersion, gitCommit, gitTreeState, buildDate }: BuildInfo): object {
  const { major, minor, compatibleMinor } = emulated;
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: compatibleMinor,
    gitVersion: `v${major}.${minor}.0+keelson.${packageVersion.replaceAll('+', '.')}`,
    gitCommit,
    gitTreeState,
    buildDate,
    // The fields are Go-specific, but clients require them to exist.
    goVersion: `node${process.versions.node}`,
    compiler: 'v8',
    platform: platformName(process.platform, process.arch),
  };
}

const goSystems: Readonly<Record<string, string>> = { win32: 'windows', sunos: 'solaris' };
const goArchitectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** The platform in Go's notation, such as `linux/amd64`. */
export function platformName(system: string, architecture: string): string {
  return `${goSystems[system] ?? system}/${goArchitectures[architecture] ?? architecture}`;
}

/** The API version in documents, such as `1.36`. */
export const apiRelease = `${emulated.major}.${emulated.minor}`;
