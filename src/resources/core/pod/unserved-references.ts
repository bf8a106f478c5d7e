import type { ResourceObject } from '../../../meta/object.ts';
import type { ResourceRules } from '../../../registry/resource-definition.ts';
import type { Container } from '../container-types.ts';
import type { PodSpec } from '../pod-types.ts';
import type { VolumeProjection } from '../projected-volume-types.ts';
import { eachContainer } from './each-container.ts';

type DropUnserved = NonNullable<ResourceRules['dropUnserved']>;

/** Volume sources that refer to resources that are off by default. */
const sources = {
  clusterTrustBundle: 'certificates.k8s.io/clustertrustbundles',
  podCertificate: 'certificates.k8s.io/podcertificaterequests',
} as const satisfies Partial<Record<keyof VolumeProjection, string>>;
const names = Object.keys(sources) as (keyof typeof sources)[];

const podGroups = 'scheduling.k8s.io/podgroups';

/**
 * Returns a function that removes references to unserved resources from the pod spec at the given path, and stop
 * signals, a feature that is off.
 */
export function dropUnservedIn(...path: readonly string[]): DropUnserved {
  return (object, oldObject, isServed) => {
    const spec = specAt(object, path);
    if (spec === undefined) return;
    const oldSpec = oldObject && specAt(oldObject, path);
    if (spec.schedulingGroup !== undefined && oldSpec?.schedulingGroup === undefined && !isServed(podGroups)) {
      delete spec.schedulingGroup;
    }
    if (!hasStopSignal(oldSpec)) eachContainer(spec, '', dropStopSignal);
    for (const { projected } of spec.volumes ?? []) {
      for (const source of projected?.sources ?? []) {
        for (const name of names) {
          if (source[name] === undefined || isServed(sources[name]) || isUsed(oldSpec, name)) continue;
          delete source[name];
        }
      }
    }
  };
}

function hasStopSignal(spec: PodSpec | undefined): boolean {
  let found = false;
  if (spec !== undefined) eachContainer(spec, '', ({ lifecycle }) => (found ||= lifecycle?.stopSignal !== undefined));
  return found;
}

function dropStopSignal(container: Container): void {
  const { lifecycle } = container;
  if (lifecycle?.stopSignal === undefined) return;
  delete lifecycle.stopSignal;
  if (lifecycle.postStart === undefined && lifecycle.preStop === undefined) delete container.lifecycle;
}

function specAt(object: ResourceObject, path: readonly string[]): PodSpec | undefined {
  let value: unknown = object;
  for (const step of path) value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[step];
  return (value as PodSpec | null | undefined) ?? undefined;
}

/** The old object was written while the resource was served. An update does not drop its references. */
function isUsed(spec: PodSpec | undefined, name: keyof typeof sources): boolean {
  return (spec?.volumes ?? []).some(({ projected }) =>
    projected?.sources?.some((source) => source[name] !== undefined),
  );
}
