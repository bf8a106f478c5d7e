import type { ResourceObject } from '../../meta/object.ts';
import type {
  NetworkPolicyEgressRule,
  NetworkPolicyIngressRule,
  NetworkPolicyPeer,
  NetworkPolicySpec,
} from './network-policy-types.ts';

export type PolicyRule = NetworkPolicyIngressRule & NetworkPolicyEgressRule;

export const directions = [
  { rules: 'ingress', peers: 'from' },
  { rules: 'egress', peers: 'to' },
] as const;

export function specOf(object: ResourceObject): NetworkPolicySpec {
  return (object.spec as NetworkPolicySpec | undefined) ?? {};
}

/** Returns all peers of a policy with their field paths. */
export function peersOf(spec: NetworkPolicySpec): { readonly peer: NetworkPolicyPeer; readonly path: string }[] {
  return directions.flatMap(({ rules, peers }) =>
    (spec[rules] ?? []).flatMap((rule: PolicyRule, index) =>
      (rule[peers] ?? []).map((peer, at) => ({ peer, path: `spec.${rules}[${index}].${peers}[${at}]` })),
    ),
  );
}
