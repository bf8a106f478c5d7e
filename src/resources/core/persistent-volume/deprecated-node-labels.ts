interface Deprecation {
  readonly since: string;
  readonly use: string;
}

const deprecations: Readonly<Record<string, Deprecation>> = {
  'beta.kubernetes.io/arch': { since: 'v1.14', use: 'kubernetes.io/arch' },
  'beta.kubernetes.io/instance-type': { since: 'v1.17', use: 'node.kubernetes.io/instance-type' },
  'beta.kubernetes.io/os': { since: 'v1.14', use: 'kubernetes.io/os' },
  'failure-domain.beta.kubernetes.io/region': { since: 'v1.17', use: 'topology.kubernetes.io/region' },
  'failure-domain.beta.kubernetes.io/zone': { since: 'v1.17', use: 'topology.kubernetes.io/zone' },
};

/** Returns the replacement of a deprecated node label. */
export function successorOf(key: string): Deprecation | undefined {
  return Object.hasOwn(deprecations, key) ? deprecations[key] : undefined;
}
