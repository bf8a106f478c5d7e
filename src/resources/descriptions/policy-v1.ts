import type { TypeTexts } from './type-texts.ts';

export const policyV1: TypeTexts = {
  Eviction: {
    '': 'Asks to delete a pod if its disruption budgets allow it. Created as subresource of the pod.',
    metadata: 'Name and namespace of the pod.',
    deleteOptions: 'How the pod is deleted.',
  },
  PodDisruptionBudget: {
    '': 'How many pods of an application may be evicted at a time.',
    spec: 'The pods and the limit.',
    status: 'What is allowed at the moment.',
  },
  PodDisruptionBudgetSpec: {
    '': 'The pods and the limit. At most one of `minAvailable` and `maxUnavailable` is set.',
    minAvailable: 'How many of the pods must remain available. A number or percentage; 100% forbids all evictions.',
    selector: 'Selects the pods. Empty: all pods of the namespace. Absent: none.',
    maxUnavailable:
      'How many of the pods may be unavailable after an eviction. A number or percentage; 0 forbids all evictions.',
    unhealthyPodEvictionPolicy:
      'When running pods that are not ready may be evicted: IfHealthyBudget (only if enough others are healthy) or ' +
      'AlwaysAllow. Default IfHealthyBudget.',
  },
  PodDisruptionBudgetStatus: {
    '': 'What a disruption budget allows at the moment.',
    observedGeneration:
      'Generation that the status was computed from. Evictions are refused if it is not the current one.',
    disruptedPods: 'Pods whose eviction was granted, with the time, until they are seen to be deleted.',
    disruptionsAllowed: 'How many pods may be evicted now.',
    currentHealthy: 'Number of healthy pods.',
    desiredHealthy: 'Number of healthy pods that must remain.',
    expectedPods: 'Number of pods that the budget counts with.',
    conditions: 'Conditions that describe the state. DisruptionAllowed says whether an eviction is possible.',
  },
};
