import type { ResourceObject } from '../../meta/object.ts';

/** The part of a FlowSchema that flow control reads. Fields may be missing in objects that were stored elsewhere. */
export interface FlowSchema extends ResourceObject {
  spec?: {
    readonly priorityLevelConfiguration?: { readonly name?: string };
    readonly matchingPrecedence?: number;
    readonly distinguisherMethod?: { readonly type?: string };
    readonly rules?: readonly PolicyRules[];
  };
  status?: { readonly conditions?: readonly FlowSchemaCondition[] };
}

export interface FlowSchemaCondition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface PolicyRules {
  readonly subjects?: readonly Subject[];
  readonly resourceRules?: readonly ResourceRule[];
  readonly nonResourceRules?: readonly NonResourceRule[];
}

export interface Subject {
  readonly kind?: string;
  readonly user?: { readonly name?: string };
  readonly group?: { readonly name?: string };
  readonly serviceAccount?: { readonly namespace?: string; readonly name?: string };
}

export interface ResourceRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly clusterScope?: boolean;
  readonly namespaces?: readonly string[];
}

export interface NonResourceRule {
  readonly verbs?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** The part of a PriorityLevelConfiguration that flow control reads. */
export interface PriorityLevelConfiguration extends ResourceObject {
  spec?: {
    readonly type?: string;
    readonly limited?: {
      readonly nominalConcurrencyShares?: number | null;
      readonly lendablePercent?: number;
      readonly borrowingLimitPercent?: number;
      readonly limitResponse?: {
        readonly type?: string;
        readonly queuing?: {
          readonly queues?: number;
          readonly handSize?: number;
          readonly queueLengthLimit?: number;
        };
      };
    };
    readonly exempt?: { readonly nominalConcurrencyShares?: number; readonly lendablePercent?: number };
  };
}

const v1 = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1' };
export const flowSchemas = { ...v1, resource: 'flowschemas' };
export const priorityLevels = { ...v1, resource: 'prioritylevelconfigurations' };

export const nameOf = ({ metadata: { name = '' } }: ResourceObject): string => name;
