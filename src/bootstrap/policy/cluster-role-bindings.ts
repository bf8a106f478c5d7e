import { controllerRoleName } from './cluster-roles.ts';
import { controllerRoles } from './controller-roles.ts';
import { type Binding, clusterRoleBinding, group, serviceAccount, user } from './policy-object.ts';

/** Each binding has the name of its role. */
export const clusterRoleBindings: readonly Binding[] = [
  clusterRoleBinding('cluster-admin', group('system:masters')),
  clusterRoleBinding('system:monitoring', group('system:monitoring')),
  clusterRoleBinding('system:discovery', group('system:authenticated')),
  clusterRoleBinding('system:basic-user', group('system:authenticated')),
  clusterRoleBinding('system:public-info-viewer', group('system:authenticated'), group('system:unauthenticated')),
  clusterRoleBinding('system:service-account-issuer-discovery', group('system:serviceaccounts')),
  clusterRoleBinding('system:node-proxier', user('system:kube-proxy')),
  clusterRoleBinding('system:kube-controller-manager', user('system:kube-controller-manager')),
  clusterRoleBinding('system:kube-dns', serviceAccount('kube-dns')),
  clusterRoleBinding('system:kube-scheduler', user('system:kube-scheduler')),
  clusterRoleBinding('system:volume-scheduler', user('system:kube-scheduler')),
  // Nodes are authorized by the mode Node. The empty binding is for administrators who want to grant them more.
  clusterRoleBinding('system:node'),
  ...Object.keys(controllerRoles).map((name) => clusterRoleBinding(controllerRoleName(name), serviceAccount(name))),
];
