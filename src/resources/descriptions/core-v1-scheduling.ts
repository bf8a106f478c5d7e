import type { TypeTexts } from './type-texts.ts';

const requiredRule = 'Must hold for the pod to be scheduled. Not checked again once the pod runs.';

/** Rules for the nodes on which pods may run. */
export const coreV1Scheduling: TypeTexts = {
  Affinity: {
    '': 'Rules about where a pod is scheduled.',
    nodeAffinity: 'Rules about the labels and fields of the node.',
    podAffinity: 'Rules to be near to other pods.',
    podAntiAffinity: 'Rules to be away from other pods.',
  },
  NodeAffinity: {
    '': 'Rules about the node of a pod.',
    requiredDuringSchedulingIgnoredDuringExecution: requiredRule,
    preferredDuringSchedulingIgnoredDuringExecution:
      'Preferences. The scheduler adds up the weights of those that a node meets and prefers the highest sum.',
  },
  NodeSelector: {
    '': 'Selects nodes. One matching term is enough.',
    nodeSelectorTerms: 'The terms, at least one.',
  },
  NodeSelectorRequirement: {
    '': 'A condition on a label or field of a node.',
    key: 'Name of the label or field.',
    operator: 'In, NotIn, Exists, DoesNotExist, Gt or Lt.',
    values:
      'Values to compare with: some for In and NotIn, none for Exists and DoesNotExist, one integer for Gt and Lt.',
  },
  NodeSelectorTerm: {
    '': 'Conditions that must all hold. A term without any selects no node.',
    matchExpressions: 'Conditions on labels of the node.',
    matchFields: 'Conditions on fields of the node. Only `metadata.name` is supported.',
  },
  PodAffinity: {
    '': 'Rules to put a pod near to other pods.',
    requiredDuringSchedulingIgnoredDuringExecution: `${requiredRule} All terms must hold.`,
    preferredDuringSchedulingIgnoredDuringExecution:
      'Preferences with weights; nodes with the highest sum are preferred.',
  },
  PodAffinityTerm: {
    '': 'A set of pods, and what counts as the same place.',
    labelSelector: 'Selects the pods. Without it no pod is selected.',
    namespaces:
      'Namespaces of the pods, together with those of `namespaceSelector`. If neither is set: the namespace of this ' +
      'pod.',
    topologyKey: 'Label of nodes. Nodes with the same value count as the same place, such as `kubernetes.io/hostname`.',
    namespaceSelector: 'Selects namespaces of the pods by label. An empty selector means all namespaces.',
    matchLabelKeys: 'Labels whose value in the incoming pod is added to `labelSelector` as a condition.',
    mismatchLabelKeys: 'Labels whose value in the incoming pod is excluded in `labelSelector`.',
  },
  PodAntiAffinity: {
    '': 'Rules to keep a pod away from other pods.',
    requiredDuringSchedulingIgnoredDuringExecution: `${requiredRule} No term may match pods in the same place.`,
    preferredDuringSchedulingIgnoredDuringExecution:
      'Preferences with weights; places where matching pods run are avoided if possible.',
  },
  PreferredSchedulingTerm: {
    '': 'A preference about nodes.',
    weight: 'How much it counts, 1 to 100.',
    preference: 'Selects the preferred nodes.',
  },
  Taint: {
    '': 'Keeps pods away from a node unless they tolerate it.',
    key: 'Name of the taint.',
    value: 'Value of the taint.',
    effect: 'NoSchedule keeps new pods out, PreferNoSchedule does so if possible, NoExecute also evicts running pods.',
    timeAdded: 'When the taint was added.',
  },
  Toleration: {
    '': 'Lets a pod run on nodes with matching taints.',
    key: 'The taint. Empty with operator Exists matches all taints.',
    operator: 'Exists (any value), Equal, or Lt and Gt for values that are integers. Default Equal.',
    value: 'The value to compare with. Empty with operator Exists.',
    effect: 'The effect to tolerate: NoSchedule, PreferNoSchedule or NoExecute. Empty means all.',
    tolerationSeconds:
      'With effect NoExecute: seconds that the pod stays after the taint appears. Absent: it stays. Zero or less: it ' +
      'is evicted at once.',
  },
  TopologySelectorLabelRequirement: {
    '': 'A condition on a label of a topology.',
    key: 'Name of the label.',
    values: 'Allowed values. One of them must match.',
  },
  TopologySelectorTerm: {
    '': 'Selects topologies by labels. All conditions must hold.',
    matchLabelExpressions: 'The conditions.',
  },
  TopologySpreadConstraint: {
    '': 'How evenly matching pods are to be spread over domains, such as zones or nodes.',
    maxSkew:
      'The greatest allowed difference between the number of matching pods in a domain and in the emptiest one. At ' +
      'least 1.',
    topologyKey: 'Label of nodes. Nodes with the same value are one domain.',
    whenUnsatisfiable:
      'DoNotSchedule leaves the pod pending, ScheduleAnyway only prefers domains that reduce the difference.',
    labelSelector: 'Selects the pods that are counted.',
    minDomains: 'With fewer eligible domains the emptiest one counts as zero. Only with DoNotSchedule. Default 1.',
    nodeAffinityPolicy:
      'Honor counts only nodes that match the node affinity and selector of the pod, Ignore counts all. Default ' +
      'Honor.',
    nodeTaintsPolicy: 'Honor counts only nodes whose taints the pod tolerates, Ignore counts all. Default Ignore.',
    matchLabelKeys: 'Labels whose value in the incoming pod is added to `labelSelector`, such as `pod-template-hash`.',
  },
  WeightedPodAffinityTerm: {
    '': 'A preference about other pods.',
    weight: 'How much it counts, 1 to 100.',
    podAffinityTerm: 'The pods and the place.',
  },
};
