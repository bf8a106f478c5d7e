import type { QuotaEvaluator } from './quota-evaluator.ts';

interface ServiceSpec {
  readonly type?: string;
  readonly ports?: readonly { readonly nodePort?: number }[];
  readonly allocateLoadBalancerNodePorts?: boolean;
}

const names: ReadonlySet<string> = new Set([
  'count/services',
  'services',
  'services.nodeports',
  'services.loadbalancers',
]);

export const serviceEvaluator: QuotaEvaluator = {
  concerns: (name) => names.has(name),
  usage({ spec }) {
    const service = (spec ?? {}) as ServiceSpec;
    return {
      'count/services': '1',
      services: '1',
      'services.nodeports': String(nodePorts(service)),
      'services.loadbalancers': service.type === 'LoadBalancer' ? '1' : '0',
    };
  },
};

function nodePorts({ type, ports = [], allocateLoadBalancerNodePorts }: ServiceSpec): number {
  if (type !== 'NodePort' && type !== 'LoadBalancer') return 0;
  if (type === 'NodePort' || allocateLoadBalancerNodePorts !== false) return ports.length;
  return ports.filter(({ nodePort }) => !!nodePort).length;
}
