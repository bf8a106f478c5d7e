import type { ObjectLabelSelector } from '../../meta/object-label-selector.ts';

/** A rule of a webhook or a policy. Lists may be missing in objects that predate current rules. */
export interface MatchRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  /** `pods`, `pods/log`, `pods/*`, `*` (without subresources), `*` with a subresource, or `*` with all of them. */
  readonly resources?: readonly string[];
  /** `Cluster`, `Namespaced` or `*`. */
  readonly scope?: string;
  /** Set for policies only. Empty for all names. */
  readonly resourceNames?: readonly string[];
}

/** The requests that a webhook or a policy applies to: the fields of `MatchResources`. */
export interface MatchConstraints {
  readonly resourceRules?: readonly MatchRule[];
  readonly excludeResourceRules?: readonly MatchRule[];
  /** `Exact` or `Equivalent`. */
  readonly matchPolicy?: string;
  readonly namespaceSelector?: ObjectLabelSelector;
  readonly objectSelector?: ObjectLabelSelector;
}
