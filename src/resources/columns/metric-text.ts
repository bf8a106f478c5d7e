import type {
  MetricSpec,
  MetricStatus,
  MetricTarget,
  ResourceMetricSource,
} from '../autoscaling/horizontal-pod-autoscaler-v2-types.ts';

const unknown = '<unknown>';
/** Go prints an absent quantity as `<nil>`. */
const absent = '<nil>';

/** Returns `<current>/<target>`. */
export function metricText(metric: MetricSpec, current: MetricStatus | undefined): string {
  switch (metric.type) {
    case 'External':
      return valueText(metric.external?.target, current?.external?.current);
    case 'Object':
      return valueText(metric.object?.target, current?.object?.current);
    case 'Pods': {
      const measured = current?.pods === undefined ? unknown : (current.pods.current?.averageValue ?? absent);
      return `${measured}/${metric.pods?.target?.averageValue ?? absent}`;
    }
    case 'Resource':
      return resourceText(metric.resource, current?.resource);
    case 'ContainerResource':
      return resourceText(metric.containerResource, current?.containerResource);
    default:
      return '<unknown type>';
  }
}

function valueText(target: MetricTarget | undefined, current: MetricTarget | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? unknown}/${target.averageValue} (avg)`;
  return `${current === undefined ? unknown : (current.value ?? absent)}/${target?.value ?? absent}`;
}

function resourceText(
  metric: ResourceMetricSource | undefined,
  status: { current?: MetricTarget } | undefined,
): string {
  const { name = '', target } = metric ?? {};
  if (target?.averageValue !== undefined) {
    const measured = status === undefined ? unknown : (status.current?.averageValue ?? absent);
    return `${name}: ${measured}/${target.averageValue}`;
  }
  const measured = percentText(status?.current?.averageUtilization) ?? unknown;
  return `${name}: ${measured}/${percentText(target?.averageUtilization) ?? '<auto>'}`;
}

function percentText(share: number | undefined): string | undefined {
  return share === undefined ? undefined : `${share}%`;
}
