import type { TypeTexts } from './type-texts.ts';

export const coordinationV1: TypeTexts = {
  Lease: {
    '': 'Records who holds something at the moment, such as leadership. Nodes also use it as a heartbeat.',
    spec: 'The holder, and since when.',
  },
  LeaseSpec: {
    '': 'Who holds a lease, and until when.',
    holderIdentity: 'Who holds it.',
    leaseDurationSeconds: 'Seconds after `renewTime` that others wait before they take it.',
    acquireTime: 'When the current holder got it.',
    renewTime: 'When the current holder last renewed it.',
    leaseTransitions: 'How often the holder has changed.',
    strategy:
      'How the holder is chosen by coordinated leader election, such as OldestEmulationVersion. Absent: candidates ' +
      'decide among themselves.',
    preferredHolder: 'Asks the current holder to give the lease to this one. Only with `strategy`.',
  },
};
