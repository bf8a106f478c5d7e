import {
  boolType,
  type CelType,
  dynType,
  intType,
  libraryTypes,
  listType,
  mapType,
  objectType,
  stringType,
  timestampType,
} from '../../cel/index.ts';

/** Which variables an expression may use, besides those that all have. */
export interface EnvironmentOptions {
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  /** The type of `variables`. Undefined where they are not declared. */
  readonly variables?: CelType | undefined;
  /** The types of the objects, for a type check. Otherwise they are only known at run time. */
  readonly types?: ObjectTypes | undefined;
}

export interface ObjectTypes {
  /** The type of `object` and `oldObject`. */
  readonly object: CelType;
  readonly params?: CelType | undefined;
}

const strings = listType(stringType);
const kindType = objectType('kubernetes.GroupVersionKind', {
  group: stringType,
  version: stringType,
  kind: stringType,
});
const resourceType = objectType('kubernetes.GroupVersionResource', {
  group: stringType,
  version: stringType,
  resource: stringType,
});

const requestType = objectType('kubernetes.AdmissionRequest', {
  kind: kindType,
  resource: resourceType,
  subResource: stringType,
  requestKind: kindType,
  requestResource: resourceType,
  requestSubResource: stringType,
  name: stringType,
  namespace: stringType,
  operation: stringType,
  userInfo: objectType('kubernetes.UserInfo', {
    username: stringType,
    uid: stringType,
    groups: strings,
    extra: mapType(stringType, strings),
  }),
  dryRun: boolType,
  options: dynType,
});

/** The field is named `UID` in kube-apiserver, too, so it is of no use. */
const namespaceType = objectType('kubernetes.Namespace', {
  metadata: objectType('kubernetes.NamespaceMetadata', {
    name: stringType,
    generateName: stringType,
    namespace: stringType,
    labels: mapType(stringType, stringType),
    annotations: mapType(stringType, stringType),
    UID: stringType,
    creationTimestamp: timestampType,
    deletionGracePeriodSeconds: intType,
    deletionTimestamp: timestampType,
    generation: intType,
    resourceVersion: stringType,
    finalizers: strings,
  }),
  spec: objectType('kubernetes.NamespaceSpec', { finalizers: strings }),
  status: objectType('kubernetes.NamespaceStatus', {
    conditions: listType(
      objectType('kubernetes.NamespaceCondition', {
        status: stringType,
        type: stringType,
        lastTransitionTime: timestampType,
        message: stringType,
        reason: stringType,
      }),
    ),
    phase: stringType,
  }),
});

/** The types of the variables of an admission expression. */
export function environment({
  hasParams,
  hasAuthorizer,
  variables,
  types: { object, params = dynType } = { object: dynType },
}: EnvironmentOptions): Readonly<Record<string, CelType>> {
  return {
    object,
    oldObject: object,
    request: requestType,
    namespaceObject: namespaceType,
    ...(hasParams && { params }),
    ...(hasAuthorizer && {
      authorizer: libraryTypes.Authorizer!,
      'authorizer.requestResource': libraryTypes.ResourceCheck!,
    }),
    ...(variables !== undefined && { variables }),
  };
}
