import { type InternalShape, number, optional, part, text } from '../core/persistent-volume/internal-form.ts';
import { nodeSelectorForm } from '../core/persistent-volume/volume-forms.ts';

// The internal forms of claims and devices, for messages that show them whole.

const selector: InternalShape = { CEL: optional('cel', { Expression: text('expression') }) };
const toleration: InternalShape = {
  Key: text('key'),
  Operator: text('operator'),
  Value: text('value'),
  Effect: text('effect'),
  TolerationSeconds: optional('tolerationSeconds'),
};
const capacity: InternalShape = { Requests: optional('requests') };
const configuration: InternalShape = {
  Opaque: optional('opaque', { Driver: text('driver'), Parameters: optional('parameters') }),
};

const exactRequest: InternalShape = {
  DeviceClassName: text('deviceClassName'),
  Selectors: optional('selectors', selector),
  AllocationMode: text('allocationMode'),
  Count: number('count'),
  AdminAccess: optional('adminAccess'),
  Tolerations: optional('tolerations', toleration),
  Capacity: optional('capacity', capacity),
};
const subRequest: InternalShape = {
  Name: text('name'),
  DeviceClassName: text('deviceClassName'),
  Selectors: optional('selectors', selector),
  AllocationMode: text('allocationMode'),
  Count: number('count'),
  Tolerations: optional('tolerations', toleration),
  Capacity: optional('capacity', capacity),
};
const request: InternalShape = {
  Name: text('name'),
  Exactly: optional('exactly', exactRequest),
  FirstAvailable: optional('firstAvailable', subRequest),
};
const constraint: InternalShape = {
  Requests: optional('requests'),
  MatchAttribute: optional('matchAttribute'),
  DistinctAttribute: optional('distinctAttribute'),
};

export const claimSpecForm: InternalShape = {
  Devices: part('devices', {
    Requests: optional('requests', request),
    Constraints: optional('constraints', constraint),
    Config: optional('config', { Requests: optional('requests'), ...configuration }),
  }),
};

const allocatedRequest: InternalShape = {
  Request: text('request'),
  Driver: text('driver'),
  Pool: text('pool'),
  Device: text('device'),
  AdminAccess: optional('adminAccess'),
  Tolerations: optional('tolerations', toleration),
  BindingConditions: optional('bindingConditions'),
  BindingFailureConditions: optional('bindingFailureConditions'),
  ShareID: optional('shareID'),
  ConsumedCapacity: optional('consumedCapacity'),
};

export const allocationForm: InternalShape = {
  Devices: part('devices', {
    Results: optional('results', allocatedRequest),
    Config: optional('config', { Source: text('source'), Requests: optional('requests'), ...configuration }),
  }),
  NodeSelector: optional('nodeSelector', nodeSelectorForm),
  AllocationTimestamp: optional('allocationTimestamp'),
};

export const attributeForm: InternalShape = {
  IntValue: optional('int'),
  BoolValue: optional('bool'),
  StringValue: optional('string'),
  VersionValue: optional('version'),
  IntValues: optional('ints'),
  BoolValues: optional('bools'),
  StringValues: optional('strings'),
  VersionValues: optional('versions'),
};
