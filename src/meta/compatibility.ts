/**
 * The decisions on which this server's specification and kube-apiserver differ, by name. Each place that takes such a
 * decision reads its own member. docs/decisions.md names the member in the row of the difference.
 */
export interface Compatibility {
  /** The HTTP status of a successful POST. */
  readonly createdStatus: 200 | 201;
  /**
   * Whether PUT creates absent objects of every type, unless the body refers to an existing one. Otherwise it creates
   * those of a few types, as their rules state.
   */
  readonly everyPutCreates: boolean;
  /**
   * Whether mistakes of a client that kube-apiserver does not classify are 400 `BadRequest`. Otherwise they are 500
   * without a reason, and an apply names no mistake after an unknown field of the same object.
   */
  readonly classifiesErrors: boolean;
  /**
   * Whether the error for a patch with unknown or repeated fields and another mistake is a 400 that names only that
   * mistake. Otherwise it is a 422 that shows the object.
   */
  readonly patchNamesFatalMistake: boolean;
  /** Whether an object that is too large for the store is 413 with the limit. Otherwise it is the 500 of etcd. */
  readonly namesStoreLimit: boolean;
  /** Whether a `dryRun` other than `All` is 400 `BadRequest`. Otherwise it is 422 `Invalid`. */
  readonly dryRunIsBadRequest: boolean;
  /** Whether an empty `dryRun` in the query is allowed and has no effect. */
  readonly emptyDryRun: boolean;
  /** Whether the dry run of a create refuses an object with a version, too. */
  readonly dryRunChecksVersionOnCreate: boolean;
  /** Whether a version in an applied configuration means that the object exists. Otherwise apply creates it. */
  readonly appliedVersionMeansExisting: boolean;
  /** Whether an apply compares quantities by amount. Otherwise another spelling of the same quantity is a conflict. */
  readonly quantitiesByAmount: boolean;
  /** Whether `metadata.continue` of a complete list is the empty text. Otherwise it is absent. */
  readonly emptyContinue: boolean;
  /** Whether a list at version 0 honours its limit. */
  readonly limitAtVersionZero: boolean;
  /** Whether list options that contradict each other are 400 `BadRequest`. Otherwise they are 422 `Invalid`. */
  readonly listOptionsAreBadRequests: boolean;
  /** Whether a boolean in the query must be one. Otherwise everything but `0` and `false` is true. */
  readonly strictBooleans: boolean;
  /** Whether `as=PartialObjectMetadata` is also accepted for a list. Otherwise it is 406. */
  readonly metadataOfLists: boolean;
  /**
   * Whether Accept and Accept-Encoding are negotiated as the standard of HTTP says. Otherwise names are compared
   * literally, weights of zero exclude nothing, and the first acceptable type decides whether a watch is possible.
   */
  readonly standardNegotiation: boolean;
  /** Whether Tables also exist in protobuf and CBOR. Otherwise they are 406. */
  readonly binaryTables: boolean;
  /** Whether an upgrade to a server that cannot be reached is 503. Otherwise it is 500 without a reason. */
  readonly failedUpgradeIsUnavailable: boolean;
  /** Whether the list of component statuses has a version. */
  readonly versionOfComponentStatuses: boolean;
  /** Whether a watch from an expired version gets HTTP 410. Otherwise it gets an ERROR event in a stream. */
  readonly refusesExpiredWatch: boolean;
  /** Whether the last line of a healthy listing is that of `/healthz`. Otherwise it names the endpoint. */
  readonly endsWithHealthz: boolean;
  /** Whether health checks from this machine need neither credentials nor permissions. */
  readonly openLoopbackHealth: boolean;
  /** Whether a 401 has the header `WWW-Authenticate`. */
  readonly challenges: boolean;
  /** Whether access reviews are also served below `/api/v1`. */
  readonly coreAccessReviews: boolean;
  /** Whether requests without credentials are accepted as the anonymous user, unless an option decides it. */
  readonly anonymousAuth: boolean;
  /** Whether containers may be privileged, unless an option decides it. */
  readonly allowPrivileged: boolean;
}

/** The answers of this server's own specification. */
export const specification: Compatibility = {
  createdStatus: 200,
  everyPutCreates: true,
  classifiesErrors: true,
  patchNamesFatalMistake: true,
  namesStoreLimit: true,
  dryRunIsBadRequest: true,
  emptyDryRun: true,
  dryRunChecksVersionOnCreate: true,
  appliedVersionMeansExisting: true,
  quantitiesByAmount: true,
  emptyContinue: true,
  limitAtVersionZero: true,
  listOptionsAreBadRequests: true,
  strictBooleans: true,
  metadataOfLists: true,
  standardNegotiation: true,
  binaryTables: true,
  failedUpgradeIsUnavailable: true,
  versionOfComponentStatuses: true,
  refusesExpiredWatch: true,
  endsWithHealthz: true,
  openLoopbackHealth: true,
  challenges: true,
  coreAccessReviews: true,
  anonymousAuth: false,
  allowPrivileged: true,
};

/** The answers of kube-apiserver 1.36. */
export const kubernetes: Compatibility = {
  createdStatus: 201,
  everyPutCreates: false,
  classifiesErrors: false,
  patchNamesFatalMistake: false,
  namesStoreLimit: false,
  dryRunIsBadRequest: false,
  emptyDryRun: false,
  dryRunChecksVersionOnCreate: false,
  appliedVersionMeansExisting: false,
  quantitiesByAmount: false,
  emptyContinue: false,
  limitAtVersionZero: false,
  listOptionsAreBadRequests: false,
  strictBooleans: false,
  metadataOfLists: false,
  standardNegotiation: false,
  binaryTables: false,
  failedUpgradeIsUnavailable: false,
  versionOfComponentStatuses: false,
  refusesExpiredWatch: false,
  endsWithHealthz: false,
  openLoopbackHealth: false,
  challenges: false,
  coreAccessReviews: false,
  anonymousAuth: true,
  allowPrivileged: false,
};

/** The profiles by their names. */
export const compatibilityProfiles = { specification, kubernetes } as const;

export type CompatibilityName = keyof typeof compatibilityProfiles;
export const compatibilityNames = Object.keys(compatibilityProfiles) as CompatibilityName[];

/** Throws a RangeError for an unknown name. */
export function compatibilityOf(name: CompatibilityName): Compatibility {
  if (Object.hasOwn(compatibilityProfiles, name)) return compatibilityProfiles[name];
  throw new RangeError(`unknown compatibility ${JSON.stringify(name)}: use ${compatibilityNames.join(' or ')}`);
}
