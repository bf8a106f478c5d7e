import type { ResourceObject } from '../../../meta/object.ts';
import type { LabelSelector } from '../../../schema/meta-types.ts';
import type { PodSpec } from '../pod-types.ts';
import type { PodAffinity, PodAffinityTerm } from '../scheduling-types.ts';
import type { SeccompProfile } from '../security-context-types.ts';
import { eachContainer } from './each-container.ts';
import { appArmorPrefix, hasPrefix } from './pod-annotation-validation.ts';
import { qualityOfService } from './quality-of-service.ts';

const localPrefix = 'localhost/';

/** Sets the initial status of a new pod and completes its spec from its labels and annotations. */
export function preparePod(pod: ResourceObject): void {
  const spec = (pod.spec ?? {}) as PodSpec;
  const { labels, annotations } = pod.metadata;
  pod.status = {
    phase: 'Pending',
    ...(spec.schedulingGates?.length && { conditions: [gatedCondition(pod)] }),
    qosClass: qualityOfService(spec),
  };
  if (labels !== undefined) addMatchLabelExpressions(spec, labels);
  if (annotations !== undefined) setAppArmorProfiles(spec, annotations);
}

function gatedCondition({ metadata }: ResourceObject): object {
  return {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: metadata.creationTimestamp,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
}

type Labels = Readonly<Record<string, string>>;

/** Adds the expressions for `matchLabelKeys` and `mismatchLabelKeys` to the label selectors. */
function addMatchLabelExpressions(spec: PodSpec, labels: Labels): void {
  if (spec.affinity === undefined && spec.topologySpreadConstraints === undefined) return;
  for (const affinity of [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity]) {
    for (const term of termsOf(affinity)) {
      addExpressions(term.labelSelector, term.matchLabelKeys, { operator: 'In', labels });
      addExpressions(term.labelSelector, term.mismatchLabelKeys, { operator: 'NotIn', labels });
    }
  }
  for (const { labelSelector, matchLabelKeys } of spec.topologySpreadConstraints ?? []) {
    addExpressions(labelSelector, matchLabelKeys, { operator: 'In', labels });
  }
}

function termsOf(affinity: PodAffinity | undefined): PodAffinityTerm[] {
  if (affinity === undefined) return [];
  const preferred = affinity.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...(affinity.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...preferred.flatMap(({ podAffinityTerm }) => podAffinityTerm ?? []),
  ];
}

/** Keys whose expressions have been added already: a pod is prepared again when its generated name is taken. */
const added = new WeakSet<readonly string[]>();

function addExpressions(
  selector: LabelSelector | undefined,
  keys: readonly string[] | undefined,
  { operator, labels }: { readonly operator: 'In' | 'NotIn'; readonly labels: Labels },
): void {
  if (selector === undefined || keys === undefined || added.has(keys)) return;
  added.add(keys);
  for (const key of keys) {
    if (!Object.hasOwn(labels, key)) continue;
    selector.matchExpressions = [...(selector.matchExpressions ?? []), { key, operator, values: [labels[key]!] }];
  }
}

/** Copies the profiles of deprecated annotations to the fields that replace them, unless the fields are set. */
function setAppArmorProfiles(spec: PodSpec, annotations: Readonly<Record<string, string>>): void {
  if (!hasPrefix(annotations, appArmorPrefix)) return;
  eachContainer(spec, '', (container) => {
    const annotation = annotations[`${appArmorPrefix}${container.name ?? ''}`];
    if (annotation === undefined || container.securityContext?.appArmorProfile !== undefined) return;
    const profile = profileOf(annotation);
    const ofPod = spec.securityContext?.appArmorProfile;
    if (
      profile === undefined ||
      (ofPod?.type === profile.type && ofPod?.localhostProfile === profile.localhostProfile)
    ) {
      return;
    }
    container.securityContext = { ...container.securityContext, appArmorProfile: profile };
  });
}

function profileOf(annotation: string): SeccompProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  if (!annotation.startsWith(localPrefix)) return undefined;
  return { type: 'Localhost', localhostProfile: annotation.slice(localPrefix.length) };
}
