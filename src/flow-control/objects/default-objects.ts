import type { FlowSchema, PolicyRulesWithSubjects, Subject } from '../../resources/flowcontrol/flow-schema-types.ts';
import { mandatoryFlowSchemas, mandatoryPriorityLevels } from '../../resources/flowcontrol/mandatory-specs.ts';
import type { PriorityLevelConfiguration } from '../../resources/flowcontrol/priority-level-types.ts';

/** `true` on an object whose spec the server keeps equal to the default, `false` on one that belongs to its user. */
export const autoUpdate = 'apf.kubernetes.io/autoupdate-spec';

/** The objects without which requests would match nothing. Their specs cannot be changed. */
export interface DefaultObjects {
  readonly levels: readonly PriorityLevelConfiguration[];
  readonly schemas: readonly FlowSchema[];
}

const metadata = (name: string) => ({ name, annotations: { [autoUpdate]: 'true' } });

export const mandatoryObjects: DefaultObjects = {
  levels: Object.entries(mandatoryPriorityLevels).map(([name, spec]) => ({
    metadata: metadata(name),
    spec: name === 'exempt' ? { ...spec, exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } } : spec,
  })),
  schemas: Object.entries(mandatoryFlowSchemas).map(([name, spec]) => ({ metadata: metadata(name), spec })),
};

interface Level {
  readonly shares: number;
  readonly lendable: number;
  readonly queues: number;
  readonly handSize?: number;
}

function level(name: string, { shares, lendable, queues, handSize = 6 }: Level): PriorityLevelConfiguration {
  const queuing = { queues, handSize, queueLengthLimit: 50 };
  return {
    metadata: metadata(name),
    spec: {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: shares,
        limitResponse: { type: 'Queue', queuing },
        lendablePercent: lendable,
      },
    },
  };
}

const group = (name: string): Subject => ({ kind: 'Group', group: { name } });
const user = (name: string): Subject => ({ kind: 'User', user: { name } });
const kubeSystemAccounts: Subject = { kind: 'ServiceAccount', serviceAccount: { namespace: 'kube-system', name: '*' } };
const everybody = [group('system:unauthenticated'), group('system:authenticated')];

const everything = (subjects: Subject[]): PolicyRulesWithSubjects => ({
  subjects,
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
});

interface Schema {
  readonly level: string;
  readonly precedence: number;
  readonly by?: 'ByUser' | 'ByNamespace';
  readonly rules: PolicyRulesWithSubjects;
}

function schema(name: string, { level, precedence, by, rules }: Schema): FlowSchema {
  return {
    metadata: metadata(name),
    spec: {
      priorityLevelConfiguration: { name: level },
      matchingPrecedence: precedence,
      ...(by && { distinguisherMethod: { type: by } }),
      rules: [rules],
    },
  };
}

const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'], namespaces: ['*'] };

/** The other default objects. Users may change and remove them. */
export const suggestedObjects: DefaultObjects = {
  levels: [
    level('system', { shares: 30, lendable: 33, queues: 64 }),
    level('node-high', { shares: 40, lendable: 25, queues: 64 }),
    level('leader-election', { shares: 10, lendable: 0, queues: 16, handSize: 4 }),
    level('workload-high', { shares: 40, lendable: 50, queues: 128 }),
    level('workload-low', { shares: 100, lendable: 90, queues: 128 }),
    level('global-default', { shares: 20, lendable: 50, queues: 128 }),
  ],
  schemas: [
    schema('system-nodes', {
      level: 'system',
      precedence: 500,
      by: 'ByUser',
      rules: everything([group('system:nodes')]),
    }),
    schema('system-node-high', {
      level: 'node-high',
      precedence: 400,
      by: 'ByUser',
      rules: {
        subjects: [group('system:nodes')],
        resourceRules: [
          {
            verbs: ['*'],
            apiGroups: [''],
            resources: ['nodes', 'nodes/status'],
            clusterScope: true,
            namespaces: ['*'],
          },
          { verbs: ['*'], ...leases },
        ],
      },
    }),
    schema('probes', {
      level: 'exempt',
      precedence: 2,
      rules: {
        subjects: everybody,
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
      },
    }),
    schema('system-leader-election', {
      level: 'leader-election',
      precedence: 100,
      by: 'ByUser',
      rules: {
        subjects: [user('system:kube-controller-manager'), user('system:kube-scheduler'), kubeSystemAccounts],
        resourceRules: [{ verbs: ['get', 'create', 'update'], ...leases }],
      },
    }),
    schema('kube-controller-manager', {
      level: 'workload-high',
      precedence: 800,
      by: 'ByNamespace',
      rules: everything([user('system:kube-controller-manager')]),
    }),
    schema('kube-scheduler', {
      level: 'workload-high',
      precedence: 800,
      by: 'ByNamespace',
      rules: everything([user('system:kube-scheduler')]),
    }),
    schema('kube-system-service-accounts', {
      level: 'workload-high',
      precedence: 900,
      by: 'ByNamespace',
      rules: everything([kubeSystemAccounts]),
    }),
    schema('service-accounts', {
      level: 'workload-low',
      precedence: 9000,
      by: 'ByUser',
      rules: everything([group('system:serviceaccounts')]),
    }),
    schema('global-default', {
      level: 'global-default',
      precedence: 9900,
      by: 'ByUser',
      rules: everything(everybody),
    }),
  ],
};
