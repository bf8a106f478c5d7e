import { core, eventGroups, type NamedRules, read, readAndWrite, rule, urls, write } from './policy-rule.ts';

/** Roles for users: for the whole cluster, for the objects of a namespace, and for the server's own endpoints. */
export const userRoles: NamedRules = {
  'cluster-admin': [rule('*', '*', '*'), urls('*', '*')],
  'system:aggregate-to-admin': [
    rule('create', 'authorization.k8s.io', 'localsubjectaccessreviews'),
    readAndWrite('rbac.authorization.k8s.io', 'rolebindings roles'),
  ],
  'system:aggregate-to-edit': [
    read(core, 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy'),
    rule('impersonate', core, 'serviceaccounts'),
    write(core, 'pods pods/attach pods/exec pods/portforward pods/proxy'),
    rule('create', core, 'pods/eviction'),
    write(
      core,
      'configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets',
      'serviceaccounts services services/proxy',
    ),
    rule('create', core, 'serviceaccounts/token'),
    write(eventGroups, 'events'),
    write(
      'apps',
      'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale',
      'statefulsets statefulsets/scale',
    ),
    write('autoscaling', 'horizontalpodautoscalers'),
    write('batch', 'cronjobs jobs'),
    write(
      'extensions',
      'daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies',
      'replicasets replicasets/scale replicationcontrollers/scale',
    ),
    write('policy', 'poddisruptionbudgets'),
    write('networking.k8s.io', 'ingresses networkpolicies'),
    readAndWrite('coordination.k8s.io', 'leases'),
    write('resource.k8s.io', 'resourceclaims resourceclaimtemplates'),
  ],
  'system:aggregate-to-view': [
    read(
      core,
      'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods',
      'replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
    ),
    read(
      core,
      'bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status',
      'resourcequotas resourcequotas/status',
    ),
    read(core, 'namespaces'),
    read(eventGroups, 'events'),
    read('discovery.k8s.io', 'endpointslices'),
    read(
      'apps',
      'controllerrevisions daemonsets daemonsets/status deployments deployments/scale',
      'deployments/status replicasets replicasets/scale replicasets/status statefulsets',
      'statefulsets/scale statefulsets/status',
    ),
    read('autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'),
    read('batch', 'cronjobs cronjobs/status jobs jobs/status'),
    read(
      'extensions',
      'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses',
      'ingresses/status networkpolicies replicasets replicasets/scale replicasets/status',
      'replicationcontrollers/scale',
    ),
    read('policy', 'poddisruptionbudgets poddisruptionbudgets/status'),
    read('networking.k8s.io', 'ingresses ingresses/status networkpolicies'),
    read('resource.k8s.io', 'resourceclaims resourceclaims/status resourceclaimtemplates'),
  ],
  'system:basic-user': [
    rule('create', 'authorization.k8s.io', 'selfsubjectaccessreviews selfsubjectrulesreviews'),
    rule('create', 'authentication.k8s.io', 'selfsubjectreviews'),
  ],
  'system:discovery': [
    urls('/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/'),
  ],
  'system:monitoring': [
    urls('/flagz /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* /statusz'),
    rule('get', core, 'nodes/metrics'),
  ],
  'system:public-info-viewer': [urls('/healthz /livez /readyz /version /version/')],
  'system:service-account-issuer-discovery': [
    urls('/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/'),
  ],
};
