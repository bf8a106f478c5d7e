import type { ResourceObject } from '../../meta/object.ts';
import type { LabelSelectorValue } from '../validation/label-selectors.ts';

/** The fields of a network policy that the rules read. */
interface NetworkPolicySpec {
  readonly podSelector?: LabelSelectorValue;
  readonly ingress?: readonly PolicyRule[];
  readonly egress?: readonly PolicyRule[];
  policyTypes?: string[];
}

interface PolicyRule {
  readonly ports?: readonly PolicyPort[];
  readonly from?: readonly PolicyPeer[];
  readonly to?: readonly PolicyPeer[];
}

export interface PolicyPort {
  protocol?: string;
  readonly port?: number | string;
  readonly endPort?: number;
}

export interface PolicyPeer {
  readonly podSelector?: LabelSelectorValue;
  readonly namespaceSelector?: LabelSelectorValue;
  readonly ipBlock?: IpBlock;
}

export interface IpBlock {
  readonly cidr?: string;
  readonly except?: readonly string[];
}

export const directions = [
  { rules: 'ingress', peers: 'from' },
  { rules: 'egress', peers: 'to' },
] as const;

export function specOf(object: ResourceObject): NetworkPolicySpec {
  return (object.spec as NetworkPolicySpec | undefined) ?? {};
}

/** Returns all peers of a policy with their field paths. */
export function peersOf(spec: NetworkPolicySpec): { readonly peer: PolicyPeer; readonly path: string }[] {
  return directions.flatMap(({ rules, peers }) =>
    (spec[rules] ?? []).flatMap((rule, index) =>
      (rule[peers] ?? []).map((peer, at) => ({ peer, path: `spec.${rules}[${index}].${peers}[${at}]` })),
    ),
  );
}
