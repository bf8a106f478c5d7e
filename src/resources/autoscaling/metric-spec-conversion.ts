/**
 * Converts the metrics of an autoscaler's spec between v2 and the v1 annotation. Both functions write the fields in the
 * order of the target type. Their input comes from clients, so any field may be missing.
 */

import type { LabelSelector } from '../../schema/meta-types.ts';
import type { CrossVersionObjectReference, MetricSpec, MetricTarget } from './horizontal-pod-autoscaler-v2-types.ts';

interface ResourceTarget {
  readonly name?: string;
  readonly targetAverageUtilization?: number;
  readonly targetAverageValue?: string;
}

export interface MetricSpecV1 {
  readonly type?: string;
  readonly object?: {
    readonly target?: CrossVersionObjectReference;
    readonly metricName?: string;
    readonly targetValue?: string;
    readonly selector?: LabelSelector;
    readonly averageValue?: string;
  };
  readonly pods?: {
    readonly metricName?: string;
    readonly targetAverageValue?: string;
    readonly selector?: LabelSelector;
  };
  readonly resource?: ResourceTarget;
  readonly containerResource?: ResourceTarget & { readonly container?: string };
  readonly external?: {
    readonly metricName?: string;
    readonly metricSelector?: LabelSelector;
    readonly targetValue?: string;
    readonly targetAverageValue?: string;
  };
}

const zero = '0';

export function metricSpecToV1(metric: MetricSpec): MetricSpecV1 {
  const { type, object, pods, resource, containerResource, external } = metric;
  return {
    type,
    object: object && {
      target: referenceOf(object.describedObject),
      metricName: object.metric?.name,
      targetValue: object.target?.value ?? zero,
      selector: object.metric?.selector,
      averageValue: object.target?.averageValue,
    },
    pods: pods && {
      metricName: pods.metric?.name,
      targetAverageValue: pods.target?.averageValue ?? zero,
      selector: pods.metric?.selector,
    },
    resource: resource && resourceTargetToV1(resource),
    containerResource: containerResource && {
      ...resourceTargetToV1(containerResource),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric?.name,
      metricSelector: external.metric?.selector,
      targetValue: external.target?.value,
      targetAverageValue: external.target?.averageValue,
    },
  };
}

export function metricSpecFromV1(metric: MetricSpecV1): MetricSpec {
  const { type, object, pods, resource, containerResource, external } = metric;
  return {
    type,
    object: object && {
      describedObject: referenceOf(object.target),
      target: objectTarget(object),
      metric: { name: object.metricName, selector: object.selector },
    },
    pods: pods && {
      metric: { name: pods.metricName, selector: pods.selector },
      target: { type: 'AverageValue', averageValue: pods.targetAverageValue },
    },
    resource: resource && { name: resource.name, target: resourceTargetFromV1(resource) },
    containerResource: containerResource && {
      name: containerResource.name,
      target: resourceTargetFromV1(containerResource),
      container: containerResource.container,
    },
    external: external && {
      metric: { name: external.metricName, selector: external.metricSelector },
      target: {
        type: external.targetValue === undefined ? 'AverageValue' : 'Value',
        value: external.targetValue,
        averageValue: external.targetAverageValue,
      },
    },
  };
}

export function referenceOf({
  kind = '',
  name = '',
  apiVersion,
}: CrossVersionObjectReference = {}): CrossVersionObjectReference {
  return { kind, name, apiVersion };
}

function resourceTargetToV1({ name, target }: NonNullable<MetricSpec['resource']>): ResourceTarget {
  return { name, targetAverageUtilization: target?.averageUtilization, targetAverageValue: target?.averageValue };
}

function resourceTargetFromV1({ targetAverageUtilization, targetAverageValue }: ResourceTarget): MetricTarget {
  return {
    type: targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization',
    averageValue: targetAverageValue,
    averageUtilization: targetAverageUtilization,
  };
}

/** v1 cannot omit the value and writes zero beside an average. Zero is not a valid target, so it means unset. */
function objectTarget({ targetValue, averageValue }: NonNullable<MetricSpecV1['object']>): MetricTarget {
  if (averageValue === undefined) {
    return { type: 'Value', value: targetValue };
  }
  return { type: 'AverageValue', value: targetValue === zero ? undefined : targetValue, averageValue };
}
