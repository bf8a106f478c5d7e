import type { TypeTexts } from './type-texts.ts';

const subjects = 'Who gets the permissions.';
const rules = 'The permissions. They add up; there are no prohibitions.';

export const rbacV1: TypeTexts = {
  AggregationRule: {
    '': 'Which cluster roles a role is composed of.',
    clusterRoleSelectors: 'Selectors of cluster roles. The rules of all that any of them matches are joined.',
  },
  ClusterRole: {
    '': 'Permissions for the whole cluster, or for any namespace in which the role is bound.',
    rules,
    aggregationRule: 'Composes the rules from other cluster roles. A controller then overwrites `rules`.',
  },
  ClusterRoleBinding: {
    '': 'Grants a cluster role in all namespaces and for cluster-wide resources.',
    subjects,
    roleRef: 'The ClusterRole. It cannot be changed.',
  },
  PolicyRule: {
    '': 'What may be done, either with resources or with paths that are no resources.',
    verbs: 'Allowed verbs, such as get, list or create. `*` means all.',
    apiGroups: 'API groups of the resources. The empty one is the core group, `*` means all.',
    resources: 'Resources, with subresources after a slash, such as `pods/log`. `*` means all.',
    resourceNames: 'Only objects with these names. Empty: all. Requests without a name, such as create, do not match.',
    nonResourceURLs:
      'Paths such as `/healthz`. `*` may stand for the last part. Only in cluster roles that are bound for the whole ' +
      'cluster.',
  },
  Role: {
    '': 'Permissions within one namespace.',
    rules,
  },
  RoleBinding: {
    '': 'Grants a role, or a cluster role, within one namespace.',
    subjects,
    roleRef: 'A Role of the same namespace or a ClusterRole. It cannot be changed.',
  },
  RoleRef: {
    '': 'Names a role.',
    apiGroup: 'Always `rbac.authorization.k8s.io`.',
    kind: 'Role or ClusterRole.',
    name: 'Name of the role.',
  },
  Subject: {
    '': 'A user, a group or a service account.',
    kind: 'User, Group or ServiceAccount.',
    apiGroup: 'Empty for ServiceAccount, `rbac.authorization.k8s.io` for the others. Those are the defaults.',
    name: 'Name of the subject.',
    namespace: 'Namespace of a service account. Not allowed for the others.',
  },
};
