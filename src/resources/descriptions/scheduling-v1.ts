import type { TypeTexts } from './type-texts.ts';

export const schedulingV1: TypeTexts = {
  PriorityClass: {
    '': 'A name for a priority of pods.',
    value: 'The priority. Higher is more important. It cannot be changed.',
    globalDefault: 'Whether pods without a class get this one. At most one class should be the default.',
    description: 'When the class should be used, for people.',
    preemptionPolicy:
      'PreemptLowerPriority lets pods displace pods of lower priority, Never does not. Default PreemptLowerPriority. ' +
      'It cannot be changed.',
  },
};
