import type { AdmissionPlugin } from '../admission-plugin.ts';

interface Taint {
  readonly key: string;
  readonly effect: string;
}

const notReady: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** Nothing is scheduled on a new node before somebody has seen that it is ready. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  rules: [{ operations: ['CREATE'], resources: ['/nodes'] }],
  mutate({ object }) {
    const spec = (object.spec ?? {}) as { taints?: Taint[] };
    const present = spec.taints ?? [];
    if (present.some(({ key, effect }) => key === notReady.key && effect === notReady.effect)) return;
    object.spec = { ...spec, taints: [...present, notReady] };
  },
};
