import type { TypeTexts } from './type-texts.ts';

const group = {
  schedulingPolicy: 'How the pods are scheduled. Exactly one policy.',
  schedulingConstraints: 'Where the group may be placed.',
  resourceClaims:
    'Claims that the pods of the group share. A pod uses one by an entry of the same name and source in its spec. At ' +
    'most 4.',
  disruptionMode: 'What may be displaced: Pod (single pods) or PodGroup (only all pods together).',
  priorityClassName:
    'The PriorityClass of the group. Without it the default class applies, if there is one, or priority zero.',
  priority: 'The priority, which admission takes from the class.',
};

export const schedulingV1alpha2: TypeTexts = {
  BasicSchedulingPolicy: { '': 'Each pod is scheduled by itself.' },
  GangSchedulingPolicy: {
    '': 'Pods are scheduled together or not at all.',
    minCount: 'How many pods must be placed at the same time. At least 1.',
  },
  PodGroup: {
    '': 'Pods that are scheduled as one.',
    spec: 'How the group is scheduled.',
    status: 'State of the group.',
  },
  PodGroupResourceClaim: {
    '': 'A claim that the pods of a group share. Exactly one of the two sources is set.',
    name: 'Name of the entry, unique in the group.',
    resourceClaimName: 'An existing ResourceClaim in the namespace of the group.',
    resourceClaimTemplateName:
      'A ResourceClaimTemplate in the namespace of the group. One claim is created from it for the whole group.',
  },
  PodGroupResourceClaimStatus: {
    '': 'The claim that was created from a template for a group.',
    name: 'Name of the entry in `spec.resourceClaims`.',
    resourceClaimName: 'Name of the claim. Absent if none was needed.',
  },
  PodGroupSchedulingConstraints: {
    '': 'Where a group may be placed.',
    topology: 'Domains into which the group must fit as a whole. At most 1.',
  },
  PodGroupSchedulingPolicy: {
    '': 'How the pods of a group are scheduled. Exactly one field is set.',
    basic: 'Each pod by itself.',
    gang: 'Together or not at all.',
  },
  PodGroupSpec: {
    '': 'How a group is scheduled.',
    podGroupTemplateRef: 'The template that the group was created from.',
    ...group,
    disruptionMode: `${group.disruptionMode} Default Pod.`,
  },
  PodGroupStatus: {
    '': 'State of a group.',
    conditions: 'Conditions that describe the state, such as whether the group is scheduled.',
    resourceClaimStatuses: 'Claims that were created from templates.',
  },
  PodGroupTemplate: {
    '': 'Template for the groups of a workload.',
    name: 'Name of the template, unique in the workload. A DNS label.',
    ...group,
  },
  PodGroupTemplateReference: {
    '': 'Where the template of a group is found. Exactly one field is set.',
    workload: 'In a workload.',
  },
  TopologyConstraint: {
    '': 'Keeps a group within one domain.',
    key: 'Label of nodes. All pods of the group must run on nodes with the same value.',
  },
  TypedLocalObjectReference: {
    '': 'Names an object of some type in the same namespace.',
    apiGroup: 'API group of the object. Empty for the core group.',
    kind: 'Kind of the object.',
    name: 'Name of the object.',
  },
  Workload: {
    '': 'The groups of pods that an application consists of, for the scheduler.',
    spec: 'The groups.',
  },
  WorkloadPodGroupTemplateReference: {
    '': 'A template of a workload.',
    workloadName: 'Name of the workload, in the same namespace.',
    podGroupTemplateName: 'Name of the template in the workload.',
  },
  WorkloadSpec: {
    '': 'The groups of a workload.',
    controllerRef: 'The object that the workload is made for, such as a Job. For information; it cannot be changed.',
    podGroupTemplates: 'Templates of the groups. At most 8. They cannot be changed.',
  },
};
