import type { LabelSelector } from '../../schema/meta-types.ts';
import type {
  CrossVersionObjectReference,
  MetricStatus,
  MetricValueStatus,
} from './horizontal-pod-autoscaler-v2-types.ts';
import { referenceOf } from './metric-spec-conversion.ts';

interface ResourceValue {
  readonly name?: string;
  readonly currentAverageUtilization?: number;
  readonly currentAverageValue?: string;
}

export interface MetricStatusV1 {
  readonly type?: string;
  readonly object?: {
    readonly target?: CrossVersionObjectReference;
    readonly metricName?: string;
    readonly currentValue?: string;
    readonly selector?: LabelSelector;
    readonly averageValue?: string;
  };
  readonly pods?: {
    readonly metricName?: string;
    readonly currentAverageValue?: string;
    readonly selector?: LabelSelector;
  };
  readonly resource?: ResourceValue;
  readonly containerResource?: ResourceValue & { readonly container?: string };
  readonly external?: {
    readonly metricName?: string;
    readonly metricSelector?: LabelSelector;
    readonly currentValue?: string;
    readonly currentAverageValue?: string;
  };
}

const zero = '0';

export function metricStatusToV1(metric: MetricStatus): MetricStatusV1 {
  const { type, object, pods, resource, containerResource, external } = metric;
  return {
    type,
    object: object && {
      target: referenceOf(object.describedObject),
      metricName: object.metric?.name,
      currentValue: object.current?.value ?? zero,
      selector: object.metric?.selector,
      averageValue: object.current?.averageValue,
    },
    pods: pods && {
      metricName: pods.metric?.name,
      currentAverageValue: pods.current?.averageValue ?? zero,
      selector: pods.metric?.selector,
    },
    resource: resource && resourceValueToV1(resource),
    containerResource: containerResource && {
      ...resourceValueToV1(containerResource),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric?.name,
      metricSelector: external.metric?.selector,
      currentValue: external.current?.value ?? zero,
      currentAverageValue: external.current?.averageValue,
    },
  };
}

export function metricStatusFromV1(metric: MetricStatusV1): MetricStatus {
  const { type, object, pods, resource, containerResource, external } = metric;
  return {
    type,
    object: object && {
      metric: { name: object.metricName, selector: object.selector },
      current: { value: object.currentValue, averageValue: object.averageValue },
      describedObject: referenceOf(object.target),
    },
    pods: pods && {
      metric: { name: pods.metricName, selector: pods.selector },
      current: { averageValue: pods.currentAverageValue },
    },
    resource: resource && { name: resource.name, current: resourceValueFromV1(resource) },
    containerResource: containerResource && {
      name: containerResource.name,
      current: resourceValueFromV1(containerResource),
      container: containerResource.container,
    },
    external: external && {
      metric: { name: external.metricName, selector: external.metricSelector },
      current: { value: external.currentValue, averageValue: external.currentAverageValue },
    },
  };
}

function resourceValueToV1({ name, current }: NonNullable<MetricStatus['resource']>): ResourceValue {
  return {
    name,
    currentAverageUtilization: current?.averageUtilization,
    currentAverageValue: current?.averageValue ?? zero,
  };
}

function resourceValueFromV1({ currentAverageUtilization, currentAverageValue }: ResourceValue): MetricValueStatus {
  return { averageValue: currentAverageValue, averageUtilization: currentAverageUtilization };
}
