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
    spec: 'The desired size.',
    status: 'The current size.',
  },
  ScaleSpec: {
    '': 'The desired size of a workload.',
    replicas: 'Desired number of pods.',
  },
  ScaleStatus: {
    '': 'The current size of a workload.',
    replicas: 'Current number of pods.',
    selector: 'Selects the pods, as text in the form of a query parameter.',
  },
};
