import type { Flag } from './flags.ts';

/** The groups of the help, in order. A name that ends with a dash matches all flags with this prefix. */
const groups: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['Configuration', ['config']],
  ['Data', ['data-dir', 'storage', 'storage-media-type', 'from-snapshot', 'compaction-', 'event-ttl']],
  ['etcd', ['etcd-']],
  ['Encryption at rest', ['encryption-provider-']],
  [
    'Network',
    [
      'threads',
      'secure-port',
      'health-port',
      'health-bind-address',
      'bind-address',
      'advertise-address',
      'cors-',
      'http2-',
      'max-connections-per-client',
    ],
  ],
  ['TLS', ['tls-']],
  [
    'Authentication',
    [
      'client-ca-file',
      'anonymous-auth',
      'token-auth-file',
      'enable-bootstrap-',
      'api-audiences',
      'authentication-config',
    ],
  ],
  ['Service account tokens', ['service-account-']],
  ['OpenID Connect', ['oidc-']],
  ['Token webhook', ['authentication-token-webhook-']],
  ['Front proxy', ['requestheader-']],
  ['Extension API servers', ['proxy-client-']],
  ['Authorization', ['authorization-', 'explain-denials']],
  ['Admission', ['enable-admission-', 'disable-admission-', 'admission-', 'explain-admission']],
  ['Certificate signing', ['cluster-signing-']],
  ['Audit log', ['audit-']],
  [
    'Requests',
    [
      'request-timeout',
      'min-request-timeout',
      'compatibility',
      'post-create-status',
      'max-requests-inflight',
      'max-mutating-requests-inflight',
      'enable-priority-and-fairness',
    ],
  ],
  ['Health and shutdown', ['livez-', 'shutdown-']],
  ['Kubelets', ['kubelet-']],
  ['Services', ['service-cluster-', 'service-node-']],
  ['Features', ['allow-privileged', 'controllers', 'enable-test-api', 'feature-gates', 'runtime-config']],
  ['Observation', ['profiling', 'slow-request-threshold', 'tracing-']],
  ['Console', ['console']],
  ['Output', ['output', 'log-level']],
];

export interface FlagGroup {
  readonly title: string;
  readonly flags: readonly Flag<unknown>[];
}

/** Sorts all flags into their groups. Flags without a group are in the group Other at the end. */
export function flagGroups(flags: Record<string, Flag<unknown>>): FlagGroup[] {
  const left = new Set(Object.values(flags));
  const found = groups.map(([title, names]) => {
    const own = [...left].filter(({ name }) =>
      names.some((known) => (known.endsWith('-') ? name.startsWith(known) : name === known)),
    );
    for (const flag of own) left.delete(flag);
    return { title, flags: own };
  });
  return left.size === 0 ? found : [...found, { title: 'Other', flags: [...left] }];
}
