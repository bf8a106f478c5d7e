export const levels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export const stages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;

/** How much is kept of a request; each level has all of those before it. */
export type Level = (typeof levels)[number];
/** How far a request has come. */
export type Stage = (typeof stages)[number];

export interface GroupResources {
  readonly group: string;
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

/** Empty lists match everything. */
export interface PolicyRule {
  readonly level: Level;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly GroupResources[];
  readonly namespaces: readonly string[];
  readonly nonResourceURLs: readonly string[];
  readonly omitStages: readonly Stage[];
  readonly omitManagedFields: boolean | undefined;
}

export interface PolicyDocument {
  readonly rules: readonly PolicyRule[];
  readonly omitStages: readonly Stage[];
  readonly omitManagedFields: boolean;
}

/** What is to be kept of one request. */
export interface AuditConfig {
  readonly level: Level;
  /** The stages of which no event is made. */
  readonly omitted: ReadonlySet<Stage>;
  readonly omitManagedFields: boolean;
}

/** What a request is about, as rules name it. */
export interface PolicyTarget {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
}
