import type { AdmissionPlugin } from '../admission-plugin.ts';

interface Toleration {
  readonly key?: string;
  readonly effect?: string;
}

const taints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** By default pods stay for five minutes on a node that is not ready or unreachable. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  rules: [{ operations: ['CREATE', 'UPDATE'], resources: ['/pods'] }],
  mutate({ object }) {
    const spec = (object.spec ?? {}) as { tolerations?: Toleration[] };
    const present = spec.tolerations ?? [];
    const missing = taints.filter((taint) => !present.some((toleration) => tolerates(toleration, taint)));
    if (missing.length === 0) return;
    const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
    object.spec = { ...spec, tolerations: [...present, ...added] };
  },
};

function tolerates({ key = '', effect = '' }: Toleration, taint: string): boolean {
  return (key === taint || key === '') && (effect === 'NoExecute' || effect === '');
}
