import type { TypeTexts } from './type-texts.ts';

export const resourceV1beta2: TypeTexts = {
  DeviceTaintRule: {
    '': 'Adds a taint to devices, independently of their driver.',
    spec: 'The devices and the taint.',
    status: 'What the taint brings about.',
  },
  DeviceTaintRuleSpec: {
    '': 'A taint and the devices that get it.',
    deviceSelector: 'The devices. An empty selector means all; absent means none.',
    taint: 'The taint.',
  },
  DeviceTaintRuleStatus: {
    '': 'What a taint brings about.',
    conditions: 'Conditions that describe the state. EvictionInProgress says whether pods are still to be evicted.',
  },
  DeviceTaintSelector: {
    '': 'Selects devices. Everything that is set must match.',
    driver: 'Driver of the devices.',
    pool: 'Pool of the devices. Pools of several drivers may have the same name.',
    device: 'Name of the devices. Devices of several pools may have the same name.',
  },
};
