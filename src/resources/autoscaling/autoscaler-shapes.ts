// The v2 fields of autoscalers that the rules read.

export interface CrossVersionReference {
  kind?: string;
  name?: string;
  apiVersion?: string;
}

export interface MetricTarget {
  type?: string;
  value?: string;
  averageValue?: string;
  averageUtilization?: number;
}

export interface MetricIdentifier {
  name?: string;
}

export interface Metric {
  type?: string;
  object?: { describedObject?: CrossVersionReference; metric?: MetricIdentifier; target?: MetricTarget };
  pods?: { metric?: MetricIdentifier; target?: MetricTarget };
  resource?: { name?: string; target?: MetricTarget };
  containerResource?: { name?: string; container?: string; target?: MetricTarget };
  external?: { metric?: MetricIdentifier; target?: MetricTarget };
}

export interface ScalingPolicy {
  type?: string;
  value?: number;
  periodSeconds?: number;
}

export interface ScalingRules {
  stabilizationWindowSeconds?: number;
  selectPolicy?: string;
  policies?: ScalingPolicy[];
  tolerance?: string;
}

export interface AutoscalerSpec {
  scaleTargetRef?: CrossVersionReference;
  minReplicas?: number;
  maxReplicas?: number;
  metrics?: Metric[];
  behavior?: { scaleUp?: ScalingRules; scaleDown?: ScalingRules };
}

export interface AutoscalerStatus {
  currentReplicas?: number;
  desiredReplicas?: number;
}
