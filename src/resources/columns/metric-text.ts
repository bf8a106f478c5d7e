/** The fields of an autoscaler metric that the columns read. */
export interface Metric {
  readonly type?: string;
  readonly resource?: ResourceMetric;
  readonly containerResource?: ResourceMetric;
  readonly pods?: { readonly target?: Target };
  readonly object?: { readonly target?: Target };
  readonly external?: { readonly target?: Target };
}

interface ResourceMetric {
  readonly name?: string;
  readonly target?: Target;
}

interface Target {
  readonly value?: string;
  readonly averageValue?: string;
  readonly averageUtilization?: number;
}

/** The current value of a metric. */
export interface CurrentMetric {
  readonly resource?: { readonly current?: Target };
  readonly containerResource?: { readonly current?: Target };
  readonly pods?: { readonly current?: Target };
  readonly object?: { readonly current?: Target };
  readonly external?: { readonly current?: Target };
}

const unknown = '<unknown>';
/** Go prints an absent quantity as `<nil>`. */
const absent = '<nil>';

/** Returns `<current>/<target>`. */
export function metricText(metric: Metric, current: CurrentMetric | undefined): string {
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

function valueText(target: Target | undefined, current: Target | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? unknown}/${target.averageValue} (avg)`;
  return `${current === undefined ? unknown : (current.value ?? absent)}/${target?.value ?? absent}`;
}

function resourceText(metric: ResourceMetric | undefined, status: { current?: Target } | undefined): string {
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
