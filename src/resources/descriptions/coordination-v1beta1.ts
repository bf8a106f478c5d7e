import type { TypeTexts } from './type-texts.ts';

export const coordinationV1beta1: TypeTexts = {
  LeaseCandidate: {
    '': 'Someone who would take a lease. A coordinator chooses among the candidates.',
    spec: 'The lease, and what the candidate can do.',
  },
  LeaseCandidateSpec: {
    '': 'A candidate for a lease.',
    leaseName: 'The lease, in the same namespace. It cannot be changed.',
    pingTime: 'When the coordinator last asked whether the candidate still lives. The candidate answers by renewing.',
    renewTime: 'When the candidate last renewed. One that has not done so for long is removed.',
    binaryVersion: 'Version of the program, such as `1.36.0`.',
    emulationVersion: 'Version that the program behaves like. Not newer than `binaryVersion`.',
    strategy:
      'How the holder is chosen, such as OldestEmulationVersion. If candidates disagree, the one with the newest ' +
      '`binaryVersion` decides.',
  },
};
