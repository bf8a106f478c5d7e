import type { TypeTexts } from './type-texts.ts';

export const autoscalingV1: TypeTexts = {
  HorizontalPodAutoscaler: {
    '': 'Changes the number of pods of a workload by their use of CPU.',
    spec: 'The workload and the limits.',
  },
  HorizontalPodAutoscalerSpec: {
    '': 'The workload and the limits.',
    targetCPUUtilizationPercentage: 'Wanted use of CPU on average, in percent of the request. Default 80.',
  },
  HorizontalPodAutoscalerStatus: {
    currentCPUUtilizationPercentage: 'Last use of CPU on average, in percent of the request.',
  },
  Scale: {
    '': 'The size of a workload, as its `scale` subresource shows and changes it.',
    spec: 'The wanted size.',
    status: 'The present size.',
  },
  ScaleSpec: {
    '': 'The wanted size of a workload.',
    replicas: 'How many pods are wanted.',
  },
  ScaleStatus: {
    '': 'The present size of a workload.',
    replicas: 'How many pods there are.',
    selector: 'Selects the pods, as text in the form of a query parameter.',
  },
};
