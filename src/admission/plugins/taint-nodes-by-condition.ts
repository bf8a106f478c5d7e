import type { AdmissionPlugin } from '../admission-plugin.ts';

interface Taint {
  readonly key: string;
  readonly effect: string;
}

const notReady: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** Taints new nodes as not ready, so that nothing is scheduled on them until a controller has seen that they are. */
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
