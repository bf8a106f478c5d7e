import * as baseline from './baseline-checks.ts';
import * as host from './host-checks.ts';
import * as restricted from './restricted-checks.ts';
import type { SecuredPod } from './secured-pod.ts';
import type { SecurityStandard } from './security-policy.ts';
import type { SecurityCheck, Violation } from './violation.ts';

interface Rule {
  /** The versions of the check with the minor version of the standards that introduced each, oldest first. */
  readonly versions: readonly (readonly [since: number, check: SecurityCheck])[];
  /** The baseline rule that this stricter rule replaces. */
  readonly replaces?: Rule;
}

const { unlessUserNamespace: unlessOwnUsers } = baseline;
const { unlessWindows } = restricted;

const seLinuxTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t'];
const sysctls = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const moreSysctls = [...sysctls, 'net.ipv4.ip_local_reserved_ports'];
const tcpSysctls = [
  ...moreSysctls,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
];
const bufferSysctls = [...tcpSysctls, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];

const defaultCapabilities: Rule = { versions: [[0, baseline.defaultCapabilitiesOnly]] };
const hostPathVolumes: Rule = { versions: [[0, host.hostPathVolumes]] };
const procMount: Rule = {
  versions: [
    [0, baseline.procMount],
    [35, unlessOwnUsers(baseline.procMount)],
  ],
};
const seccompProfile: Rule = {
  versions: [
    [0, baseline.seccompAnnotations],
    [19, baseline.seccompProfile],
  ],
};

const baselineRules: readonly Rule[] = [
  { versions: [[0, baseline.appArmorProfile]] },
  defaultCapabilities,
  { versions: [[0, host.hostNamespaces]] },
  hostPathVolumes,
  { versions: [[0, host.hostPorts]] },
  { versions: [[34, host.hostProbes]] },
  { versions: [[0, baseline.privileged]] },
  procMount,
  {
    versions: [
      [0, baseline.seLinuxOptions(seLinuxTypes)],
      [31, baseline.seLinuxOptions([...seLinuxTypes, 'container_engine_t'])],
    ],
  },
  seccompProfile,
  {
    versions: [
      [0, baseline.sysctls(sysctls)],
      [27, baseline.sysctls(moreSysctls)],
      [29, baseline.sysctls(tcpSysctls)],
      [32, baseline.sysctls(bufferSysctls)],
    ],
  },
  { versions: [[0, host.windowsHostProcess]] },
];

const restrictedRules: readonly Rule[] = [
  {
    versions: [
      [8, restricted.allowPrivilegeEscalation],
      [25, unlessWindows(restricted.allowPrivilegeEscalation)],
    ],
  },
  {
    versions: [
      [22, restricted.droppedCapabilities],
      [25, unlessWindows(restricted.droppedCapabilities)],
    ],
    replaces: defaultCapabilities,
  },
  { versions: [[35, baseline.procMount]], replaces: procMount },
  { versions: [[0, restricted.restrictedVolumes]], replaces: hostPathVolumes },
  {
    versions: [
      [0, restricted.runAsNonRoot],
      [35, unlessOwnUsers(restricted.runAsNonRoot)],
    ],
  },
  {
    versions: [
      [23, restricted.runAsUser],
      [35, unlessOwnUsers(restricted.runAsUser)],
    ],
  },
  {
    versions: [
      [19, restricted.requiredSeccompProfile],
      [25, unlessWindows(restricted.requiredSeccompProfile)],
    ],
    replaces: seccompProfile,
  },
];

/** The last version that changed a rule. Later versions are equal to it. */
const newest = 35;
const known = new Map<string, readonly SecurityCheck[]>();

/** The violations of a standard by a pod, in the order in which they are reported. */
export function violations(standard: SecurityStandard, pod: SecuredPod): Violation[] {
  if (standard.level === 'privileged') return [];
  const found: Violation[] = [];
  for (const check of checksOf(standard)) {
    const violation = check(pod);
    if (violation !== undefined) found.push(violation);
  }
  return found;
}

function checksOf({ level, version }: SecurityStandard): readonly SecurityCheck[] {
  const minor = version === 'latest' ? newest : Math.min(newest, Number(version.slice('v1.'.length)));
  const key = `${level}:${minor}`;
  const present = known.get(key);
  if (present !== undefined) return present;
  const strict = level === 'restricted' ? restrictedRules.filter((rule) => checkOf(rule, minor) !== undefined) : [];
  const replaced = new Set(strict.map(({ replaces }) => replaces));
  const rules = [...baselineRules.filter((rule) => !replaced.has(rule)), ...strict];
  const checks = rules.map((rule) => checkOf(rule, minor)).filter((check) => check !== undefined);
  known.set(key, checks);
  return checks;
}

function checkOf({ versions }: Rule, minor: number): SecurityCheck | undefined {
  return versions.findLast(([since]) => since <= minor)?.[1];
}

export function detailsOf(found: readonly Violation[]): string {
  return found.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ');
}
