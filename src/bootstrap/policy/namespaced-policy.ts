import { controllerRoleName } from './cluster-roles.ts';
import { type Binding, type Role, role, roleBinding, serviceAccount, user } from './policy-object.ts';
import { core, type PolicyRule, read, recordEvents, rule, withNames } from './policy-rule.ts';

const system = (name: string) => ({ name, namespace: 'kube-system' });
const published = (name: string) => ({ name, namespace: 'kube-public' });

const authenticationReader = 'extension-apiserver-authentication-reader';
const managerLock = 'system::leader-locking-kube-controller-manager';
const schedulerLock = 'system::leader-locking-kube-scheduler';
const bootstrapSigner = controllerRoleName('bootstrap-signer');
const cloudProvider = controllerRoleName('cloud-provider');
const tokenCleaner = controllerRoleName('token-cleaner');

const takeLocks: readonly PolicyRule[] = ['leases', 'leasecandidates'].map((resource) =>
  rule('create get list update watch', 'coordination.k8s.io', resource),
);

export const roles: readonly Role[] = [
  // Extension API servers read the trusted CAs from this config map.
  role(system(authenticationReader), [withNames(read(core, 'configmaps'), 'extension-apiserver-authentication')]),
  role(system(managerLock), takeLocks),
  role(system(schedulerLock), takeLocks),
  role(system(bootstrapSigner), [read(core, 'secrets')]),
  role(system(cloudProvider), [rule('create get list watch', core, 'configmaps')]),
  role(system(tokenCleaner), [rule('delete get list watch', core, 'secrets'), recordEvents]),
  role(published(bootstrapSigner), [
    read(core, 'configmaps'),
    withNames(rule('update', core, 'configmaps'), 'cluster-info'),
    recordEvents,
  ]),
];

const manager = user('system:kube-controller-manager');
const scheduler = user('system:kube-scheduler');

export const roleBindings: readonly Binding[] = [
  roleBinding(system(`system::${authenticationReader}`), authenticationReader, [manager, scheduler]),
  roleBinding(system(managerLock), managerLock, [
    manager,
    serviceAccount('kube-controller-manager'),
    serviceAccount('leader-election-controller'),
  ]),
  roleBinding(system(schedulerLock), schedulerLock, [scheduler, serviceAccount('kube-scheduler')]),
  roleBinding(system(bootstrapSigner), bootstrapSigner, [serviceAccount('bootstrap-signer')]),
  roleBinding(system(cloudProvider), cloudProvider, [serviceAccount('cloud-provider')]),
  roleBinding(system(tokenCleaner), tokenCleaner, [serviceAccount('token-cleaner')]),
  roleBinding(published(bootstrapSigner), bootstrapSigner, [serviceAccount('bootstrap-signer')]),
];
