export type Invariant =
  | 'no fault'
  | 'accepted again unchanged'
  | 'dry run says the same'
  | 'update equals create'
  | 'patch equals update'
  | 'apply equals create'
  | 'generation counts changes'
  | 'put equals create'
  | 'refusal changes nothing'
  | 'causes name fields'
  | 'managed fields cover the object';

export interface Violation {
  readonly invariant: Invariant;
  readonly kind: string;
  readonly what: string;
  readonly detail: string;
}

interface Exception {
  readonly invariant: Violation['invariant'];
  /** The kinds that it applies to, as group/version and kind. All by default. */
  readonly kind?: RegExp;
  readonly what?: RegExp;
  readonly detail?: RegExp;
  /** Why kube-apiserver behaves the same way. */
  readonly reason: string;
}

const serverSet =
  /^metadata\.(uid|resourceVersion|deletionTimestamp|deletionGracePeriodSeconds|creationTimestamp|selfLink|generation) /;

/** Causes of kube-apiserver whose field does not exist in the object. */
const oddCauses: Readonly<Record<string, readonly RegExp[]>> = {
  'the index is left out': [
    /\.(podAffinity|podAntiAffinity)\..*\.namespace: /,
    /\.\{topologyKey, whenUnsatisfiable\}: /,
    /\.volumeMounts\.(recursiveReadOnly|mountPropagation): /,
    /^status\.extendedResourceClaimStatus\.requestName: /,
    /^metadata\.ownerReferences\.(apiVersion|kind|name|uid): /,
    /^spec\.scopeSelector\.matchExpressions\.(operator|scopeName|values): /,
    /\.resourceRules\.(operations|resources|apiGroups|apiVersions|scope)\b/,
    /\.downwardAPI\.(fieldRef|resourceFieldRef|path|mode)\b/,
    /\.projected\.(path|expirationSeconds)\b/,
  ],
  'it has another name in the validation than in the object': [
    /^\[\]: .*ConfigMap/,
    /^spec\.LoadBalancerSourceRanges\b/,
    /^metadata\.taints\[/,
    /^status\.(Phase|conditions\[\d+\]\.Type): /,
    /\.additionalPrinterColumns\[\d+\]\.JSONPath: /,
    /^status\.(capacity|allocatable)\./,
    /metadata\.uID: /,
    /^spec\.attachedRequired: /,
    /\.iscsi\.initiatorname: /,
    /^spec\.limits\[\d+\]\.limits: /,
    /^spec\.persistentvolumesource: /,
    /^spec\.rollback\.version: /,
    /^spec\.strategy\.strategy: /,
    /^status\.conditions\.\[\d+\]/,
    /^status\[\d+\]\.(type|status|reason|message): .*StorageVersionStatus/,
    /\.clusterTrustBundlePEM\b/,
    /\.(cephFS|downwarAPI): /,
    /\.requestPolicy\.validRange\.default: /,
    /\.persistentDisk\./,
    /overhead\.limits\[/,
    /spec\.resources\[storage\]: /,
    /^spec\.resources\.requests\.storage: /,
    /^spec\.conversion\.(conversionReviewVersions|webhookClientConfig)\b/,
    /^spec\.template\.annotations: /,
    /^spec\.devices\.requests\[\d+\]\.adminAccess: .* label on the containing namespace/,
  ],
  'the path does not begin at the object': [/^(group|resource|nodeAffinity|volumeMode): /],
  'the object is validated in another form, in which it has the field': [
    /^(involvedObject|source|message|firstTimestamp|lastTimestamp|count)\b.*events\/v1/,
    /^spec\.(additionalPrinterColumns|subresources|validation|selectableFields|version)\b.*CustomResourceDefinitionSpec/,
    /^spec\.metrics\b.*autoscaling\/v1\./,
    /^status\.storedVersions\[\d+\]: only 0 items/,
    /^spec\.clusterIPs\[0\]: only 0 items/,
    /\.resources\.requests\[.*: no key/,
    /^data\[.*no key/,
    /^spec\.limits\[\d+\]\.default(Request)?\[/,
    /^spec\.template\.spec\.volumes\[.*: only \d+ items/,
    /^spec\.template\.metadata\.labels\[(batch.kubernetes.io\/)?(controller-uid|job-name)\]: no key/,
  ],
};

/** Cases in which kube-apiserver does not keep an invariant and this server behaves like it. */
const exceptions: readonly Exception[] = [
  {
    invariant: 'accepted again unchanged',
    what: serverSet,
    detail: /^apply/,
    reason: 'a new object drops what the server sets; applied to an existing one it is a precondition or immutable',
  },
  {
    invariant: 'accepted again unchanged',
    detail: /^apply 200 .*managedFields: absent \| .*before-first-apply/,
    reason: 'a configuration without any field owns nothing, and then everything belongs to before-first-apply',
  },
  {
    invariant: 'accepted again unchanged',
    kind: /^\/v1 (ConfigMap|Secret)$/,
    what: /(^immutable|\bempty \{\})/,
    detail: /^apply 422 .*field is immutable when `immutable` is set/,
    reason: 'an empty map is stored as none, and in the configuration it is a change',
  },
  {
    invariant: 'accepted again unchanged',
    kind: /^\/v1 Event/,
    detail: /metadata.finalizers\[0\]: Invalid value/,
    reason: 'only the newer version of events checks the names of finalizers',
  },
  {
    invariant: 'accepted again unchanged',
    kind: /HorizontalPodAutoscaler/,
    what: /^(status: status|spec\.metrics)/,
    detail: /^PUT \/apis\/autoscaling\/v1\/.* 200 \.metadata\.resourceVersion: [^;]*$/,
    reason: 'the older version cannot say that a value is absent, nor does it have all values of a target',
  },
  {
    invariant: 'accepted again unchanged',
    kind: /^\/v1 Pod$/,
    detail: /^apply 422 .*pod updates may not change fields/,
    reason: 'matchLabelKeys become a part of the selector, and the configuration does not have it',
  },
  {
    invariant: 'accepted again unchanged',
    kind: /^\/v1 Node$/,
    detail: /^apply 200 [^;]*; \.spec\.taints: [^;]*node.kubernetes.io\/not-ready[^;]*$/,
    reason: 'a plugin taints new nodes, and the configuration does not have it',
  },
  {
    invariant: 'accepted again unchanged',
    kind: /^\/v1 Node$/,
    what: /^spec\.podCIDR/,
    detail: /^apply 422 .*spec\.podCIDRs/,
    reason: 'podCIDR wins over podCIDRs, to which the configuration then adds',
  },
  {
    invariant: 'accepted again unchanged',
    kind: /^\/v1 PersistentVolumeClaim$/,
    detail: /^apply 422 .*dataSourceRef\.namespace/,
    reason:
      'a reference to another namespace is dropped from a new claim, and refused later, as long as the feature is off',
  },
  {
    invariant: 'accepted again unchanged',
    kind: /^\/v1 Node$/,
    what: /^status: status\.nodeInfo/,
    detail: /metadata\.nodeSwapStatus\.capacity: Invalid value: /,
    reason: 'only the main resource checks the capacity for swapping',
  },
  {
    invariant: 'accepted again unchanged',
    kind: /CustomResourceDefinition/,
    what: /^status/,
    detail: /status.storedVersions\[\d+\]: Invalid value: /,
    reason: 'a write to the status may name versions that the main resource refuses',
  },
  {
    invariant: 'refusal changes nothing',
    kind: /^\/v1 Service$/,
    detail: /^(POST|PUT|PATCH) refused with \d+: ((ADDED|DELETED) \S*\/ipaddresses \S+?(, |$))+$/,
    reason: 'addresses are allocated before the service is validated, and released again: each is an IPAddress',
  },
  ...(['dry run says the same', 'accepted again unchanged', 'patch equals update'] as const).map(
    (invariant): Exception => ({
      invariant,
      kind: /^resource\.k8s\.io\/\S+ (ResourceSlice|DeviceTaintRule)$/,
      detail: /\.metadata\.generation: |timeAdded/,
      reason: 'a taint without a time gets that of the request, which may be another second',
    }),
  ),
  {
    invariant: 'dry run says the same',
    detail: /\.metadata\.selfLink: .* \| absent$/,
    reason: 'only the store removes it from an update',
  },
  {
    invariant: 'dry run says the same',
    detail: /^(PUT|PATCH) 409 409 .*StorageError: invalid object/,
    reason: 'the message has the key of the store, with its prefix only when the store is reached',
  },
  {
    invariant: 'dry run says the same',
    kind: /^\/v1 LimitRange/,
    what: /^metadata(\.name)? /,
    detail: /^POST 200 200 \.metadata\.name: /,
    reason: 'a limit range without a name gets a random one',
  },
  {
    invariant: 'dry run says the same',
    kind: /^batch\/v1 Job/,
    detail: /^(POST|PATCH) 422 422 .*(controller-uid|not auto-generated)/,
    reason: 'errors show the uid of the new object',
  },
  {
    invariant: 'update equals create',
    kind: /(v1 Namespace|CertificateSigningRequest)$/,
    detail: /^put: \.spec\./,
    reason: 'an update keeps the finalizers of a namespace and the spec of a certificate request',
  },
  {
    invariant: 'update equals create',
    kind: /PersistentVolume(Claim)?|VolumeAttributesClass/,
    detail: /^put: \.metadata\.finalizers: [^;]*(pvc|pv|vac)-protection[^;]*$/,
    reason: 'a plugin protects new objects',
  },
  {
    invariant: 'dry run says the same',
    what: /^metadata(\.generateName)? /,
    detail: /^POST 422 422 \.message: .*; \.details\.name: /,
    reason: 'errors show the name that was generated',
  },
  {
    invariant: 'update equals create',
    kind: /^\/v1 Node$/,
    detail: /^put: \.spec\.taints: [^;]*node.kubernetes.io\/not-ready[^;]*$/,
    reason: 'a plugin taints new nodes',
  },
  {
    invariant: 'update equals create',
    kind: /DeviceTaintRule$/,
    detail: /^put: \.spec\.taint\.timeAdded: [^;]*$/,
    reason: 'the time of a taint follows its effect',
  },
  {
    invariant: 'update equals create',
    kind: /^apps\/v1 DaemonSet/,
    detail: /deprecated\.daemonset\.template\.generation/,
    reason: 'the annotation counts the updates of the template',
  },
  {
    invariant: 'causes name fields',
    kind: /^resource.k8s.io\/v1beta1 /,
    reason: 'errors name the fields of the newest version',
  },
  ...Object.entries(oddCauses).flatMap(([reason, details]) =>
    details.map((detail): Exception => ({ invariant: 'causes name fields', detail, reason })),
  ),
  {
    invariant: 'managed fields cover the object',
    detail: / nobody owns .* f:ownerReferences k:\{"uid":""\} = .*"uid":null\}$/,
    reason: 'the key of an applied item may be null, which is another key than the empty one that is stored',
  },
  {
    invariant: 'accepted again unchanged',
    detail: /^apply 200 .*\.ownerReferences: [^;]*"uid":""[^;]*$/,
    reason: 'an applied item whose key is null is another one than the stored item, whose key is empty',
  },
  {
    invariant: 'managed fields cover the object',
    kind: /CertificateSigningRequest/,
    detail: /nobody owns f:spec /,
    reason: 'nobody owns the spec, which does not change',
  },
  {
    invariant: 'managed fields cover the object',
    detail:
      /owns absent (f:spec f:(preferredHolder|strategy|preventPodSchedulingIfMissing)$|f:spec f:configSource|f:status f:config|.* f:lifecycle( f:stopSignal)?$)/,
    reason: 'fields of a feature that is off are dropped after the fields of the request have got their owner',
  },
  {
    invariant: 'managed fields cover the object',
    kind: /^\/v1 Pod$/,
    detail: /^\w+ (ephemeralcontainers|resize): .* owns absent f:spec /,
    reason: 'what these subresources cannot change is restored after the fields of the request have got their owner',
  },
  {
    invariant: 'managed fields cover the object',
    detail: /owns absent f:metadata f:(deletionTimestamp|deletionGracePeriodSeconds)$/,
    reason: 'a new object drops them after the fields of the request have got their owner',
  },
  {
    invariant: 'managed fields cover the object',
    kind: /Secret/,
    detail: /owns absent f:stringData /,
    reason: 'it becomes data when the object is read from the merged configuration',
  },
  {
    invariant: 'managed fields cover the object',
    kind: /batch\/v1 Job/,
    detail:
      /nobody owns f:(spec f:template f:)?metadata f:labels f:(batch.kubernetes.io\/)?(controller-uid|job-name) |nobody owns f:spec f:selector /,
    reason: 'generated after the fields of the request have got their owner',
  },
  {
    invariant: 'managed fields cover the object',
    kind: /^\/v1 Service$/,
    detail: /owns absent f:spec f:sessionAffinityConfig/,
    reason: 'a service without affinity has none, and an applied configuration owns what it says',
  },
  {
    invariant: 'managed fields cover the object',
    kind: /^\/v1 Service$/,
    detail: /nobody owns f:spec f:(clusterIPs?|ipFamilies|ipFamilyPolicy|healthCheckNodePort|ports .* f:nodePort) /,
    reason: 'allocated after the fields of the request have got their owner',
  },
  {
    invariant: 'managed fields cover the object',
    kind: /^\/v1 PersistentVolumeClaim$/,
    detail: /nobody owns f:spec f:dataSource(Ref)? |owns absent f:spec f:dataSource(Ref)?\b/,
    reason: 'one is copied from the other, or dropped, after the fields of the request have got their owner',
  },
  {
    invariant: 'managed fields cover the object',
    detail: /nobody owns (f:metadata f:finalizers v:"kubernetes.io\/(pvc|pv|vac)-protection"|f:spec f:taints )/,
    reason: 'a plugin adds it',
  },
  ...(
    [
      'dry run says the same',
      'update equals create',
      'apply equals create',
      'put equals create',
      'patch equals update',
    ] as const
  ).map(
    (invariant): Exception => ({
      invariant,
      kind: /^\/v1 Service$/,
      detail: /\.spec\.(clusterIP|ipFamilies|healthCheckNodePort|ports\[\d+\]\.nodePort): /,
      reason: 'every new service gets others, an update keeps those that it leaves out, and a dry run allocates none',
    }),
  ),
  {
    invariant: 'accepted again unchanged',
    kind: /^\/v1 ServiceAccount$/,
    detail: /^apply 400 .*failed to create typed live object/,
    reason: 'nothing can be applied to a list with an item that lacks its key, and an empty key is not kept',
  },
  {
    invariant: 'managed fields cover the object',
    kind: /^\/v1 ServiceAccount$/,
    detail: /owns absent f:secrets /,
    reason: 'writes that add an item without its key record no owners, and take none away',
  },
  {
    invariant: 'generation counts changes',
    kind: /(EndpointSlice|Deployment)$/,
    what: /^metadata(\.labels\b|\.annotations\b| )/,
    reason: 'changes of the labels of a slice and of the annotations of a deployment count, too',
  },
  {
    invariant: 'patch equals update',
    what: /2147483648/,
    detail: /^strategic accepted$/,
    reason: 'an integer that is too large for its field wraps around in the result of a strategic patch',
  },
  {
    invariant: 'managed fields cover the object',
    detail: /scale: nobody owns f:spec f:replicas = 0$/,
    reason: 'a scale of zero has no such field, so that nobody owns it any more',
  },
  {
    invariant: 'managed fields cover the object',
    kind: /HorizontalPodAutoscaler/,
    detail: /nobody owns f:metadata f:annotations f:autoscaling.alpha.kubernetes.io/,
    reason: 'annotations of the older version show what fields of the newer one own',
  },
  {
    invariant: 'managed fields cover the object',
    kind: /^\/v1 Namespace$/,
    detail: /nobody owns f:spec f:finalizers /,
    reason: 'set after the fields of the request have got their owner',
  },
];

export function isExpected({ invariant, kind, what, detail }: Violation): boolean {
  return exceptions.some(
    (one) =>
      one.invariant === invariant &&
      (one.kind?.test(kind) ?? true) &&
      (one.what?.test(what) ?? true) &&
      (one.detail?.test(detail) ?? true),
  );
}
