import { type MetricIdentifier, type ObjectReference, referenceOf } from './metric-spec-conversion.ts';

/** Converts the current metrics of an autoscaler between v2 and the v1 annotation. */

interface MetricValue {
  readonly value?: string;
  readonly averageValue?: string;
  readonly averageUtilization?: number;
}

export interface MetricStatus {
  readonly type: string;
  readonly object?: {
    readonly metric?: MetricIdentifier;
    readonly current?: MetricValue;
    readonly describedObject?: ObjectReference;
  };
  readonly pods?: { readonly metric?: MetricIdentifier; readonly current?: MetricValue };
  readonly resource?: { readonly name?: string; readonly current?: MetricValue };
  readonly containerResource?: { readonly name?: string; readonly current?: MetricValue; readonly container?: string };
  readonly external?: { readonly metric?: MetricIdentifier; readonly current?: MetricValue };
}

interface ResourceValue {
  readonly name?: string;
  readonly currentAverageUtilization?: number;
  readonly currentAverageValue?: string;
}

export interface MetricStatusV1 {
  readonly type: string;
  readonly object?: {
    readonly target?: ObjectReference;
    readonly metricName?: string;
    readonly currentValue?: string;
    readonly selector?: unknown;
    readonly averageValue?: string;
  };
  readonly pods?: { readonly metricName?: string; readonly currentAverageValue?: string; readonly selector?: unknown };
  readonly resource?: ResourceValue;
  readonly containerResource?: ResourceValue & { readonly container?: string };
  readonly external?: {
    readonly metricName?: string;
    readonly metricSelector?: unknown;
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

function resourceValueFromV1({ currentAverageUtilization, currentAverageValue }: ResourceValue): MetricValue {
  return { averageValue: currentAverageValue, averageUtilization: currentAverageUtilization };
}
