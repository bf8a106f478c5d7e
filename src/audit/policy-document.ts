export const levels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export const stages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;

/** How much of a request is recorded. Each level includes the previous ones. */
export type Level = (typeof levels)[number];
/** The progress of a request. */
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

/** The audit level and options of one request. */
export interface AuditConfig {
  readonly level: Level;
  /** Stages without an event. */
  readonly omitted: ReadonlySet<Stage>;
  readonly omitManagedFields: boolean;
}

/** The resource of a request, as named in rules. */
export interface PolicyTarget {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
}
